# SPDX-License-Identifier: Apache-2.0

BUILD  := build
HCGEN  := $(BUILD)/hcgen
CONFIG ?= configs/torus4x4.hcl
OUT    ?= $(BUILD)/$(basename $(notdir $(CONFIG)))
PACKAGES ?= ./...

# Recipes contain these paths. tr removes what make and shells take literally, and wc counts the rest.
odd = $(if $(filter 0,$(shell printf %s '$(subst ','\'',$(1))' | LC_ALL=C tr -d 'A-Za-z0-9._/+,\200-\377-' | wc -c)),,odd)
$(foreach path,BUILD CONFIG OUT,$(if $(call odd,$($(path)))$(filter -%,$($(path)))$(if $($(path)),,empty),$(error $(path) is \
	"$($(path))": it may have only letters, digits, characters beyond ASCII, and . _ - / + , and may not be empty or begin with -)))

# The Makefiles of Verilator compile with it: many benches have the same C++, in temporary folders.
export OBJCACHE ?= ccache
export CCACHE_BASEDIR ?= $(or $(TMPDIR),/tmp)

# rules KIND: the targets KIND/VALUE of this file. They are the only list of the values of WHAT:
# make KIND WHAT=VALUE runs one of them.
rules = $(shell sed -nE 's,^($(1)/[a-z]+):.*,\1,p' Makefile)

.PHONY: all help setup setup-test hcgen demo test test-all quick check vet fix bench measure campaign pictures gallery waves release clean
.PHONY: $(call rules,measure) $(call rules,campaign)

# Setup comes first, with -j too.
.NOTPARALLEL:

all: demo ## set up, build, and run the main job on the 4x4 torus

help: ## list the targets
	@sed -nE 's/^([a-zA-Z-]+):.* ## (.*)/  \1\t\2/p' Makefile | expand -t 17

setup: ## install the tools that are missing (Debian packages) and check their versions
	@sh tools/setup.sh

setup-test: # install also what only the tests need
	@sh tools/setup.sh test

hcgen: ## build the command, build/hcgen
	go build -o $(HCGEN) ./cmd/hcgen

demo: setup hcgen ## generate CONFIG (the 4x4 torus), compare the RTL with its traces, synthesize, summarize
	$(HCGEN) -c $(CONFIG) -o $(OUT)
	$(MAKE) -C $(OUT) --no-print-directory lint sim synth
	@$(MAKE) -C $(OUT) --no-print-directory report
	@sh tools/summary.sh $(OUT)

# tests FLAGS: runs tests, which check has vetted, and prints how long make has taken since it began.
BEGIN := $(shell date +%s)
define tests
	HCGEN_TOOLS=required go test -vet=off $(1)
	@seconds=$$(($$(date +%s) - $(BEGIN))); echo "make $@: $$((seconds / 60)) min $$((seconds % 60)) s"
endef

test: setup-test check ## the main path: one example of each kind simulated, one synthesized, one proved; about 8 minutes
	$(call tests,-short -timeout 30m ./...)

test-all: setup-test check ## every test, the slow ones too; PACKAGES=./test/proofs/... for a part
	$(call tests,-timeout 120m $(PACKAGES))

quick: vet hcgen ## the Go tests that need no tools, and ring8 in RTL (Verilator); under a minute with warm caches
	go test -short $(WITHOUT_TOOLS)
	$(HCGEN) -c configs/ring8.hcl -o $(BUILD)/quick
	$(MAKE) -C $(BUILD)/quick --no-print-directory sim

# The packages, except for the programs of tools/, whose tests skip nothing without tools.
WITHOUT_TOOLS = $(shell go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}} {{.TestImports}} {{.XTestImports}}{{end}}' ./... | \
	sed -nE '/internal\/needs|\/tools\//!s/ .*//p')

SHELL_FILES = $(shell git ls-files --cached --others --exclude-standard '*.sh' .ci/run)
CXX_FILES = $(shell git ls-files --cached --others --exclude-standard '*.cpp' '*.h')

# need TOOL, FILES: fails without the tool, or without files for it.
need = @command -v $(1) >/dev/null || { echo "error: $(1) is not installed; make setup-test installs it (Debian)" >&2; exit 4; } \
	$(if $(strip $(2)),,; echo "error: no files for $(1); is this a checkout of git?" >&2; exit 1)

check: vet ## formatting and static checks of Go, shell and C++ files
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

# measure EXPERIMENT,FLAGS: runs an experiment; those that are campaigns keep their results in a folder.
define measure
	go build -o $(BUILD)/measure/measure ./tools/measure
	$(BUILD)/measure/measure $(1) $(2) $(OPTIONS)
endef

bench: setup ## measure routers, networks, latency in RTL and saturated load, against goals and other routers; OPTIONS=-docs updates the pages
	@mkdir -p $(BUILD)/bench
	$(call measure,bench,-folder $(BUILD)/bench -json $(BUILD)/bench/bench.json)

# run KIND: the rule of this kind that WHAT names, or the list of all.
define run
	@case " $(call rules,$(1)) " in \
	*" $(1)/$(WHAT) "*) $(MAKE) --no-print-directory "$(1)/$(WHAT)" ;; \
	*) \
		echo "error: $(if $(WHAT),WHAT=$(WHAT) names no $(1),WHAT is missing): make $(1) WHAT=NAME, with one of these names" >&2; \
		sed -nE 's,^$(1)/([a-z]+):.* # (.*),  \1\t\2,p' Makefile | expand -t 17 >&2; \
		exit 2 ;; \
	esac
endef

measure: ## print figures; WHAT=NAME says which, and without it the names are listed; OPTIONS=-docs updates the pages
	+$(call run,measure)

campaign: ## look for faults; WHAT=NAME says how, and without it the names are listed
	+$(call run,campaign)

measure/load: setup # deliveries, shares and waits under load in the model; up to 2 minutes
	$(call measure,load)

measure/unicast: # what networks accept of messages with a destination, by pattern and fifo_depth, in the model; up to 2 minutes
	$(call measure,unicast)

measure/collectives: # cycles of collective operations on networks, beside the steps of their schedules, in the models
	$(call measure,collectives)

measure/nodes: setup # nodes of collective networks, and those of the 4x4 torus beside its routers; 15 minutes
	$(call measure,nodes,-folder $(BUILD)/nodes)

measure/growth: setup # how costs grow with nodes, degree and payload; 5 to 10 minutes
	$(call measure,growth,-folder $(BUILD)/growth)

measure/area: setup # LUTs and flip-flops of routers in three families of FPGAs, without a clock; some minutes
	$(call measure,area,-folder $(BUILD)/area)

measure/cost: setup # synthesize the routers that the estimate of hcgen explore is fitted to, and print the fit; about 5 minutes
	$(call measure,cost,-folder $(BUILD)/cost)
	go test -count=1 -v -run TestCost ./internal/explore

measure/options: setup # synthesize CONFIG with other options of Yosys and nextpnr, one at a time; SEEDS="1 2 3"
	$(call measure,options,-folder $(BUILD)/options -config $(CONFIG) $(if $(SEEDS),-seeds "$(SEEDS)"))

measure/newest: setup-test hcgen # lint, synthesize and simulate CONFIG also with the Yosys of npm; 2 minutes
	$(HCGEN) -c $(CONFIG) -o $(OUT)
	@sh tools/newest.sh $(OUT) $(BUILD)/newest

# campaign KIND, FLAGS: runs a campaign; see docs/campaigns.md, also for OPTIONS.
define campaign
	go build -o $(BUILD)/campaign/campaign ./tools/campaign
	$(BUILD)/campaign/campaign $(1) -folder $(BUILD)/campaign/$(1) $(if $(FOR),-for $(FOR)) $(2) $(OPTIONS)
endef

campaign/exhaustive: # execute the broadcasts of all 1,710,738 machines of the prototype's range; minutes, or FOR=; continues after an interruption
	$(call campaign,exhaustive)

campaign/adversary: # look in the model for traffic that holds a message, RUNS=1000 scenarios for each of ten machines, SEED=; some minutes
	$(call campaign,adversary,$(if $(RUNS),-runs $(RUNS)) $(if $(SEED),-seed $(SEED)))

campaign/soak: setup hcgen # random machines against the model for FOR=10m, reproducible from SEED=, FIRST=; a failure is shrunk
	$(call campaign,soak,$(if $(SEED),-seed $(SEED)) $(if $(FIRST),-first $(FIRST)))

campaign/fuzz: setup # feed every reader with mutated input, for FOR=1m each
	@sh tools/fuzz.sh $(or $(FOR),1m)

campaign/mutate: setup # change routers and networks, and see which check notices; COUNT=120, WIRES=12; continues after an interruption
	$(call campaign,mutate,$(if $(COUNT),-count $(COUNT)) $(if $(WIRES),-wires $(WIRES)) $(if $(SEED),-seed $(SEED)) \
		$(if $(MACHINES),-machines "$(MACHINES)") $(if $(INTO),-into "$(INTO)"))

campaign/proofs: setup # prove thirteen routers, of five machines, for runs of any length, and print what each took; 4 minutes
	HCGEN_PROOFS=all go test -count=1 -v -timeout 80m ./test/proofs -run TestRoutersOfExamplesAreProved

campaign/destinations: setup # every destination from every source in RTL, on the 93 machines of up to 16 nodes; about 10 minutes
	HCGEN_DESTINATIONS=all go test -count=1 -v -timeout 80m ./test/traces -run TestEveryDestinationFromEverySourceInRTL

campaign/equivalence: setup # prove that small programmable routers equal the specialized ones of their machines
	HCGEN_EQUIVALENCE=all go test -count=1 -v -timeout 80m ./test/proofs -run 'TestProgrammableRoutersAreProved|TestProofOfEquivalence'

campaign/programmable: setup # one compiled programmable router as configs/ and MACHINES (200) further machines; LUTs and clock; 25 minutes
	HCGEN_DRAWN_MACHINES=$(or $(MACHINES),200) go test -count=1 -timeout 80m ./test/benches -run TestProgrammableRouterIsEveryMachine
	$(call measure,programmable,-folder $(BUILD)/programmable $(if $(DEGREE),-degree $(DEGREE)) $(if $(ROUTE_TIME),-time $(ROUTE_TIME)s))

campaign/big: setup # 15x15x15x15, 50,625 routers in RTL: one broadcast, then 1,000 at once; about 3 minutes
	$(call measure,big)

campaign/schedules: # schedules of all hypercycles of up to NODES=256 nodes (4096: an hour) against their bounds, to 64 nodes also those in which nothing waits, or FOR=; LIST=OPERATION; continues after an interruption
	$(call campaign,schedules,$(if $(NODES),-nodes $(NODES)) $(if $(LIST),-list $(LIST)))

# In a folder of its own, so that what whole runs have left in build/ stays as it is. The first machines of
# SEED=1672 are as small as they come, with routers of degree 1.
campaign/smoke: setup # begin the seven campaigns that take a bound, with little of each; some minutes
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=exhaustive FOR=10s
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=soak FOR=1s SEED=1672
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=fuzz FOR=10s
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=mutate COUNT=1 WIRES=1 MACHINES=ring
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=schedules NODES=4096 FOR=10s
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke campaign WHAT=adversary RUNS=10
	$(MAKE) --no-print-directory BUILD=$(BUILD)/smoke bench OPTIONS="-machines ring8 -seeds 1"

pictures: gallery waves ## draw the pictures of the docs; timing diagrams with WaveDrom (Node.js 20, npm)

gallery: hcgen
	@sh tools/gallery.sh "$$PWD/$(BUILD)"

waves:
	@sh tools/waves.sh $(BUILD)/waves

# The version of goreleaser, which is no dependency of the module.
GORELEASER = go run github.com/goreleaser/goreleaser/v2@v2.17.0

release: ## build the release files in build/release, a snapshot unless the commit has a tag; AGAIN=1 builds twice and compares
	$(GORELEASER) release --clean $(if $(shell git tag --points-at HEAD --list 'v*'),,--snapshot)
ifdef AGAIN
	rm -rf $(BUILD)/again
	git clone -q . $(BUILD)/again
	REBUILD=1 $(MAKE) -C $(BUILD)/again --no-print-directory release AGAIN=
	diff build/release/SHA256SUMS $(BUILD)/again/build/release/SHA256SUMS
endif

clean: ## remove build/
	rm -rf $(BUILD)
