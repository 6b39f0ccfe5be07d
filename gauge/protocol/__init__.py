"""The study protocol as pure functions: tables in, tables out; docs/protocol.md says every formula and its source."""
