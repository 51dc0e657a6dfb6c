// SPDX-License-Identifier: Apache-2.0

package docs

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lookedUp are the commands that the tests know; what else begins with a program is a mistake.
var lookedUp = []string{"hcgen", "source", "grep", "yosys", "make", "gtkwave", "apt-get", "go", "fusesoc", "docker"}

// indentedCommands lists the commands of the indented blocks of a page, without comments: lines that
// begin with a program.
func indentedCommands(p page) (all []string) {
	for _, block := range p.indented {
		for _, line := range strings.Split(block, "\n") {
			line, _, _ = strings.Cut(line, " #")
			line = strings.TrimPrefix(strings.TrimSpace(line), "$ ")
			words := strings.Fields(line)
			if len(words) < 2 && line != "make" {
				continue
			}
			if _, err := exec.LookPath(words[0]); err == nil || slices.Contains(lookedUp, words[0]) {
				all = append(all, line)
			}
		}
	}
	return all
}

// What pages show without its output works, too: hcgen and Yosys are run, and of other commands
// all that they name is there. The pages of pictures and README have tests of their own.
func TestCommandsShownWithoutOutputWork(t *testing.T) {
	setup, err := os.ReadFile("../tools/setup.sh")
	require.NoError(t, err)
	ran := 0
	for _, p := range pages(t) {
		commands := indentedCommands(p)
		if p.name == gallery || p.name == algorithm || len(commands) == 0 {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			s := newSession(t, p)
			machine := "torus4x4.hcl" // or what the page describes
			if _, err := os.Stat(filepath.Join(s.dir, "ring.hcl")); err == nil {
				machine = "ring.hcl"
			}
			s.write("machine.hcl", s.read(machine))
			s.succeed("hcgen -c machine.hcl -o out")
			for _, command := range commands {
				ran++
				words := strings.Fields(command)
				switch words[0] {
				case "source":
					require.Equal(t, commandLine, p.name, "%s: TestCompletionsComplete knows those of one page", command)
				case "hcgen", "grep":
					command = strings.ReplaceAll(command, "~", filepath.Join(s.dir, "home"))
					command, _, _ = strings.Cut(command, " | make")
					command, _, _ = strings.Cut(command, " | Out-String") // of PowerShell
					require.NoError(t, os.MkdirAll(filepath.Join(s.dir, "home/.config/fish/completions"), 0o755))
					s.succeed(command)
				case "yosys": // in the folder made, as the page says
					s.succeed("cd out && " + command)
				case "make":
					assertTargets(t, s, p, words)
				case "gtkwave":
					require.Len(t, words, 3, command)
					assert.FileExists(t, filepath.Join(s.dir, words[2]), command)
					dump := strings.TrimPrefix(words[1], "out/")
					assert.True(t, strings.Contains(p.text, "+trace="+dump+"\n"), "nothing makes the waves of: %s", command)
				case "apt-get":
					for _, name := range words[2:] {
						assert.True(t, slices.Contains(strings.Fields(string(setup)), name), "%s: not of setup: %s", command, name)
					}
				case "go":
					assert.Empty(t, unknownToGo(t, command), command)
				case "python3": // an environment of its own for pinned packages
					assert.Equal(t, "python3 -m venv", strings.Join(words[:3], " "), command)
				case "git": // with a repository of the reader's choice
					assert.Regexp(t, `^git (clone [A-Z]+ \S+|-C \S+ rev-parse HEAD)$`, command)
				case "docker":
					require.FileExists(t, filepath.Join(filepath.Dir(p.name), "Dockerfile"), command)
					if words[1] == "run" {
						assert.Contains(t, command, ":"+readContainer(t).workdir+`"`, "the checkout is mounted where the container works")
						assertTargets(t, s, p, words[slices.Index(words, "make"):])
					}
				case "verilator", "iverilog":
					assertFileLists(t, s, command)
				case "fusesoc":
					assertKnownToFuseSoC(t, s, words)
				default:
					t.Errorf("%s: no test runs this command, or looks up what it names", command)
				}
			}
		})
	}
	assert.Greater(t, ran, 50)
}

// assertTargets looks for what the command asks of make: in the folder made, or else in that of
// the page or above it.
func assertTargets(t *testing.T, s *session, p page, words []string) {
	t.Helper()
	if len(words) > 1 && words[1] == "-C" {
		s.succeed(strings.Replace(strings.Join(words, " "), "make ", "make -n ", 1))
		return
	}
	makefile, err := os.ReadFile(filepath.Join(filepath.Dir(p.name), "Makefile"))
	if os.IsNotExist(err) {
		makefile, err = os.ReadFile("../Makefile")
	}
	require.NoError(t, err)
	if len(words) > 1 {
		assert.Regexp(t, `(?m)^`+words[1]+`:.* ##? `, string(makefile), strings.Join(words, " "))
	}
}

// assertFileLists looks for the generated files that a command reads: the lists of Verilator, or the files that the
// shell makes of lists.
func assertFileLists(t *testing.T, s *session, command string) {
	t.Helper()
	found := 0
	for _, m := range regexp.MustCompile(`-F (\S+)|(\$\(.*?\))`).FindAllStringSubmatch(command, -1) {
		s.succeed("ls " + m[1] + m[2])
		found++
	}
	assert.Positive(t, found, "no list of files: %s", command)
}

// assertKnownToFuseSoC looks for what the command names in the files that FuseSoC would read.
func assertKnownToFuseSoC(t *testing.T, s *session, words []string) {
	t.Helper()
	command := strings.Join(words, " ")
	if words[1] == "library" {
		assert.Equal(t, "fusesoc library add hcgen https://"+module, command)
		assert.FileExists(t, "../tools/fusesoc/hcgen.core")
		return
	}
	m := regexp.MustCompile(`^fusesoc --cores-root (\S+) run --target (\w+) (\w+)$`).FindStringSubmatch(command)
	require.NotNil(t, m, command)
	core := s.read(filepath.Join(m[1], m[3]+".core"))
	assert.True(t, strings.Contains(core, "\n  "+m[2]+":\n"), "no target: %s", command)
	assert.True(t, strings.Contains(core, "name: ::"+m[3]+":"), "another name: %s", command)
}

const module = "github.com/hcgen/hcgen"

// unknownToGo reports what a command of Go names that is not there: a folder, a test or benchmark, a
// flag of the program.
func unknownToGo(t testing.TB, command string) (missing []string) {
	t.Helper()
	words := strings.Fields(strings.ReplaceAll(command, "'", ""))
	source := "" // of the packages named
	for i := 2; i < len(words); i++ {
		path, _, _ := strings.Cut(strings.TrimPrefix(words[i], module+"/"), "@")
		switch {
		case words[1] == "install" || strings.HasPrefix(path, "./"):
			files, err := filepath.Glob(filepath.Join("..", path, "*.go"))
			require.NoError(t, err)
			if len(files) == 0 {
				missing = append(missing, words[i])
			}
			for _, name := range files {
				text, err := os.ReadFile(name)
				require.NoError(t, err)
				source += string(text)
			}
		case words[1] == "test" && (words[i-1] == "-run" || words[i-1] == "-bench") && words[i] != "^$":
			kind := map[string]string{"-run": "Test", "-bench": "Benchmark"}[words[i-1]]
			for _, name := range strings.Split(words[i], "|") {
				if !regexp.MustCompile(`(?m)^func ` + kind + `\w*` + strings.TrimPrefix(name, kind) + `\w*\(`).MatchString(source) {
					missing = append(missing, name)
				}
			}
		case words[1] == "run" && strings.HasPrefix(path, "-"):
			name, _, _ := strings.Cut(path[1:], "=")
			if !regexp.MustCompile(`flags?\.\w+\((?:&[\w.]+, )?"` + name + `"`).MatchString(source) {
				missing = append(missing, words[i])
			}
		}
	}
	if source == "" {
		missing = append(missing, "no package")
	}
	return missing
}

// Commands of Go stand in sentences and tables mostly, as evidence.
func TestGoCommandsNameWhatIsThere(t *testing.T) {
	found := 0
	for _, p := range pages(t) {
		for _, m := range regexp.MustCompile("`(go (?:test|run|install) [^`]*)`").FindAllStringSubmatch(flowed(p), -1) {
			found++
			assert.Empty(t, unknownToGo(t, m[1]), "%s: %s", p.name, m[1])
		}
	}
	assert.Greater(t, found, 7)
	for _, wrong := range []string{"go test ./sim/model -run NoSuchTest", "go test ./simm", "go run ./tools/measure -no", "go test -run Gate",
		"go test ./sim/model -bench Gates", "go install " + module + "/cmd/hcgem@latest"} {
		assert.NotEmpty(t, unknownToGo(t, wrong), wrong)
	}
}

// The code that the page about extending shows is that of the file to which the last link above it leads.
func TestCodeShownIsThatOfTheFileNamed(t *testing.T) {
	link := regexp.MustCompile(`\]\((\.\./[^)]*)\)`)
	squeezed := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	p := read(t, extending)
	lines := strings.Split(p.text, "\n")
	shown := 0
	for _, f := range p.fences {
		links := link.FindAllStringSubmatch(strings.Join(lines[:f.line-1], "\n"), -1)
		require.NotEmpty(t, links)
		file := links[len(links)-1][1]
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, line := range strings.Split(strings.TrimSpace(f.text), "\n") {
			shown++
			assert.True(t, strings.Contains(squeezed(string(text)), squeezed(line)), "%s:%d: %s does not have the line %s", p.name, f.line, file, line)
		}
	}
	assert.Greater(t, shown, 8)
}
