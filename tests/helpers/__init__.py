"""What tests share: boards, strategies, brute force, engines with faults, browsers."""
