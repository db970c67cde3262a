def write_report(parts, here):
    pass
