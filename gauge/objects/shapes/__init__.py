"""The geometry kit: closed meshes, the collision shapes that stand for them, and parts made of both."""
