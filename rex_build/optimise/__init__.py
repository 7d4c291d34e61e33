"""What can be proved about a region, whatever its language: from the tree to choices in the plan."""
