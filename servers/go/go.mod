module rigmark/servers/go

go 1.24.0
