# SPDX-License-Identifier: Apache-2.0
#
# Puts the parts, files in $WORK, in place of the lines <!-- put: NAME --> of the page.

BEGIN { generator = text(ENVIRON["GENERATOR"]) }

/^<!-- put: [a-z]+ -->$/ {
    if ($3 == "generator") {
        print (generator == "" ? "an unknown version" : generator)
        next
    }
    file = ENVIRON["WORK"] "/" $3
    while ((got = (getline line < file)) > 0) print line
    if (got < 0) {
        print "report.sh: error: " file " is missing" >"/dev/stderr"
        exit 1
    }
    close(file)
    next
}

{ print }
