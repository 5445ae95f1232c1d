"""Games as objects: load rules, walk states, run playouts. `woodstock.load` is the way in."""
