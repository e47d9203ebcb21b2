"""Builds jails and talks to them. Only ``sandbox/inside/`` runs within one."""
