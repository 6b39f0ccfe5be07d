"""The importer: a folder of a user's meshes and models becomes objects of the pool, one by one or not at all."""
