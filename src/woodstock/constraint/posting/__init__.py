"""Post expressions to the native solver, exactly: every condition, with auxiliary variables for its parts."""
