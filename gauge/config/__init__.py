"""From the files in `conf/` and the command line to checked objects."""
