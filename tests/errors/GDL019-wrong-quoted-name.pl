role('white player').
