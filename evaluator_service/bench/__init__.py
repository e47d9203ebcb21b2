"""Side-by-side measurements: every row of a table in one interleaved run, as ratios that can be trusted."""
