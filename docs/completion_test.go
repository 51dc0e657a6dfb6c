// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/hcgen/hcgen/internal/needs"
)

// completing are scripts that load completion by the command put in for %s and complete "hcgen expl",
// by shell. That of zsh types into a shell, for which it has a module.
var completing = map[string]string{
	"bash": `. /usr/share/bash-completion/bash_completion
%s
COMP_LINE='hcgen expl' COMP_WORDS=(hcgen expl) COMP_CWORD=1 COMP_POINT=10
"$(complete -p hcgen | sed 's/.* -F \([^ ]*\) .*/\1/')" 2>messages
printf '%%s\n' "${COMPREPLY[@]}"`,
	"zsh": `zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'autoload -U compinit; compinit -D -u; %s; echo rea""dy'
zpty -r shell text '*ready*' || exit 1
zpty -w -n shell $'hcgen expl\t'
zpty -r shell text '*explore*' || exit 1
print explore
zpty -d shell`,
	"fish": `%s; complete --do-complete 'hcgen expl' | string split -f 1 \t`,
}

// The lines on the page make each shell complete; only a shell shows that.
func TestCompletionsComplete(t *testing.T) {
	needs.Tools(t, "bash", "zsh", "fish")
	needs.Time(t)
	_, err := os.Stat("/usr/share/bash-completion/bash_completion")
	require.NoError(t, err, "bash-completion is not installed: make setup-test installs it")
	p := read(t, commandLine)
	for shell, script := range completing {
		t.Run(shell, func(t *testing.T) {
			s := newSession(t, p)
			require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "home/.config/fish/completions"), 0o755))
			var shown []string
			for _, command := range indentedCommands(p) {
				if strings.Contains(command, "hcgen completion "+shell) {
					shown = append(shown, command)
				}
			}
			require.Len(t, shown, 1, "commands on the page")
			s.write("script", fmt.Sprintf(script, shown[0]))
			command := map[string]string{"bash": "bash --norc script", "zsh": "zsh -f script", "fish": "fish script"}[shell]
			s.home = filepath.Join(s.dir, "home")
			assert.Equal(t, "explore\n", s.succeed("timeout 20 "+command+" </dev/null"))
		})
	}
}
