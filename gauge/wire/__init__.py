"""The network protocol of policies: openpi's websocket messages, both ends."""
