"""Where commands run and what they run: an agent on the target, reached locally or by SSH. No Django here."""
