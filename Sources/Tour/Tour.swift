// The chapters follow.
