#!/bin/sh
# package.sh NOTES PACKAGE: the notes, and their checksum as the last line.
set -eu
cat "$1" > "$2"
cksum < "$1" >> "$2"
