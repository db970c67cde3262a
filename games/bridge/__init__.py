"""Duplicate bridge: results of deals played at several tables, their scores, and readers for CSV, LIN and PBN."""
