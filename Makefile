# Mullion. `make help` lists what there is.

SWIFT ?= swift
# `swift build`, and once more for modules that it forgot.
BUILD = SWIFT='$(SWIFT)' scripts/build
# Swift's own libraries are linked into the program: it starts sooner and takes less memory than with shared ones.
STATIC ?= --static-swift-stdlib
# Arguments for the program, e.g. make run ARGS='--idiom pad --size 1180x820 foot'
ARGS ?=
# Arguments for the tests, e.g. make test TEST_ARGS='--filter SettingsTests'
TEST_ARGS ?=
# Arguments for the comparison with other compositors, e.g. make bench BENCH_ARGS='--only mullion,sway'
BENCH_ARGS ?=
# Arguments for the comparison with other sound systems, e.g. make bench SOUND_ARGS='--only mullion,pulseaudio'
SOUND_ARGS ?=
# Arguments for the figures of the life of apps, e.g. make bench LIFE_ARGS='--parts restore'
LIFE_ARGS ?=
# Arguments for scripts/wlcs, e.g. make wlcs WLCS_ARGS='-f "*Subsurface*" -v'
WLCS_ARGS ?=
TOUR ?= tour
WALK ?= walk
# Arguments for the random walk through real apps, e.g. make walk WALK_ARGS='--walk 7 --minutes 30'
WALK_ARGS ?= --walk 1
# Arguments for the tour, e.g. make tour TOUR_ARGS='--only split fit'
TOUR_ARGS ?=
PREFIX ?= /usr/local
RELEASE_FOLDER ?= .build-release-system

# Arguments for the random requests, e.g. make fuzz FUZZ_ARGS='--seed 7 --seconds 600'
FUZZ_ARGS ?= --seconds 3600
FUZZ ?= fuzz
# The folder of the documentation as a site, e.g. make docs DOCS=/tmp/mullion
DOCS ?= docs-site
# Arguments for scripts/nightly, e.g. make nightly NIGHTLY_ARGS='--only tour --on 13'
NIGHTLY_ARGS ?=

.NOTPARALLEL:
.PHONY: help run build lab release deb release-check install uninstall examples test wlcs test-slow test-asan fuzz tour walk film nightly bench doctor docs protocols deps deps-test deps-slow check clean toolchain

help:
	@echo 'make run        build and start the shell (ARGS=... for its options and a command)'
	@echo 'make build      build the program in release: .build/release/mullion'
	@echo 'make lab        build mullion-lab beside it, for tour, audit and bench'
	@echo 'make release    build the programs to be installed: they need no Swift toolchain to run'
	@echo 'make deb        make a Debian package of it: dist/mullion_VERSION_ARCHITECTURE.deb'
	@echo 'make release-check  gates, tests, conformance, and the package on a fresh Debian (RELEASE_FOLDER=..., as root)'
	@echo 'make install    put it, its session and its service into PREFIX (DESTDIR=... for packages)'
	@echo 'make examples   build the example apps: podcasts, navigator, recorder, phone, notes, exporter, letters'
	@echo 'make test       run all tests (TEST_ARGS=... to choose)'
	@echo 'make wlcs       run the Wayland conformance suite (WLCS_ARGS=... for scripts/wlcs)'
	@echo 'make test-slow  every sequence of three operations, and long random runs, floods and kills'
	@echo 'make test-asan  hostile clients and random requests against a shell built with the address sanitizer'
	@echo 'make fuzz       an hour of random requests (FUZZ_ARGS=...); traces of what is found in $(FUZZ)/'
	@echo 'make tour       drive real apps through every function; pictures in $(TOUR)/index.html'
	@echo 'make walk       walk through real apps at random (WALK_ARGS=...); what breaks lies in $(WALK)/'
	@echo 'make nightly    tour, walk, test-slow, test-asan and fuzz on Debian 12 and 13, as root (NIGHTLY_ARGS=...)'
	@echo 'make bench      print the figures: frame times, idle work; beside its peers where installed'
	@echo 'make doctor     say what this machine lacks, and the command that mends it'
	@echo 'make docs       the documentation as a site with search: $(DOCS)/index.html (DOCS=... to choose)'
	@echo 'make check      the quick gates: pure core, owned descriptors, words, habits, format, licences, links'
	@echo 'make protocols  generate the Wayland protocol glue'
	@echo 'make deps       install the packages that building and running need (asks first)'
	@echo 'make deps-test  the same for tests and tour'
	@echo 'make clean      remove what was built and generated'

run: build
	.build/release/mullion run $(ARGS)

build: protocols toolchain
	$(BUILD) -c release $(STATIC) --product mullion

lab: build
	$(BUILD) -c release $(STATIC) --product mullion-lab

release: protocols toolchain
	MULLION_BUILD="$$(git describe --always --dirty --exclude "*" 2>/dev/null || true)" $(BUILD) -c release $(STATIC) --scratch-path .build-install --product mullion
	MULLION_BUILD="$$(git describe --always --dirty --exclude "*" 2>/dev/null || true)" $(BUILD) -c release $(STATIC) --scratch-path .build-install --product mullion-lab

# For the Debian and the processor of this machine.
deb: release
	@scripts/deb dist

# Everything that a release must pass, with a fresh Debian in RELEASE_FOLDER.
release-check:
	@scripts/release-check '$(RELEASE_FOLDER)'

# Builds nothing, so that root needs no toolchain.
install:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install

uninstall:
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' scripts/install --remove

examples: protocols toolchain
	@scripts/deps examples
	$(BUILD) --package-path Examples

# CI builds once, so it compiles each module as a whole, which takes a quarter less processor time, and nobody debugs there. File by
# file, as elsewhere, the next build is quicker.
WHOLE = $(if $(CI),-Xswiftc -gnone -Xswiftc -whole-module-optimization -Xswiftc -no-emit-module-separately-wmo -Xswiftc -num-threads -Xswiftc 2)

FOR_TESTS = MULLION_STRICT=1 $(if $(CI),MULLION_OPTIMIZED_CORE=1)

# Both builds at once: one module alone does not keep all processors busy.
test: deps-test protocols toolchain check
	@$(FOR_TESTS) $(BUILD) --build-tests $(WHOLE) & main=$$!; $(BUILD) --package-path Examples $(WHOLE); examples=$$?; \
	  wait $$main && exit $$examples
	$(FOR_TESTS) SWIFT=$(SWIFT) scripts/test $(TEST_ARGS)

wlcs: deps-test protocols toolchain
	$(BUILD) --product MullionWlcs
	scripts/wlcs $(WLCS_ARGS)

test-slow: deps-slow protocols toolchain
	$(BUILD) -c release --build-tests --scratch-path .build-slow -Xswiftc -enable-testing
	MULLION_SLOW_TESTS=1 $(SWIFT) test -c release --scratch-path .build-slow -Xswiftc -enable-testing \
	  --filter 'MultitaskingTests|InterfaceTests|AudioSessionsTests|AudioEngineTests|MonkeyTests|HostilityTests|BadInputTests|HostileClientTests|StoreTests|LifeKillTests|DialogTests|AuditTests'

# The sanitizer's own finds end the shell, and so a test, and so does what is left at its end. What libraries keep is in
# scripts/leaks. The conformance suite's runner has no sanitizer in it: that is loaded before it, and leaks are not counted.
ASAN = ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$(CURDIR)/scripts/leaks:print_suppressions=0
test-asan: deps-test protocols toolchain
	$(BUILD) --sanitize=address --scratch-path .build-asan --product mullion
	$(BUILD) --sanitize=address --scratch-path .build-asan --product MullionWlcs
	$(BUILD) --build-tests
	$(ASAN) .build/debug/mullion-fuzz run --spawn .build-asan/debug/mullion --memory-margin 400 --seconds 60
	MULLION_SLOW_TESTS=1 $(ASAN) MULLION_BINARY=$(CURDIR)/.build-asan/debug/mullion \
	  SWIFT=$(SWIFT) scripts/test --filter 'HostileClientTests|/HostilityTests|DragHostility|ModalHostility|X11Hostility|XwaylandTests'
	ASAN_OPTIONS=detect_leaks=0 scripts/wlcs -m .build-asan/debug/libMullionWlcs.so \
	  --preload "$$(find "$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/.." -name 'libclang_rt.asan-*.so' | head -n 1)"

fuzz: deps-test build
	$(BUILD) -c release $(STATIC) --product mullion-fuzz
	mkdir -p $(FUZZ)
	.build/release/mullion-fuzz run --spawn .build/release/mullion --out $(FUZZ) $(FUZZ_ARGS)

tour: deps-test lab examples
	PATH="$(CURDIR)/Examples/.build/debug:$$PATH" .build/release/mullion tour --out $(TOUR) $(TOUR_ARGS)
	@if [ -e $(TOUR)/film/0000.png ]; then $(MAKE) --no-print-directory film; fi

walk: deps-slow lab
	.build/release/mullion tour --out $(WALK) $(WALK_ARGS)

# The pictures at the top of README, of what the tour's last chapter filmed: a picture each 50 ms.
film:
	mkdir -p docs/pictures
	img2webp -loop 0 -lossy -q 55 -m 4 -d 50 $(TOUR)/film/*.png -o docs/pictures/film.webp
	for still in split switcher; do cwebp -quiet -q 80 $(TOUR)/$$still.png -o docs/pictures/$$still.webp; done

nightly:
	@scripts/nightly $(NIGHTLY_ARGS)

bench: lab
	.build/release/mullion bench
	$(BUILD) -c release $(STATIC) --product mullion-bench-client
	scripts/bench-peers $(BENCH_ARGS)
	$(BUILD) -c release $(STATIC) --product mullion-sound-probe
	scripts/bench-sound $(SOUND_ARGS)
	scripts/bench-life $(LIFE_ARGS)
	scripts/bench-views

doctor: build
	.build/release/mullion doctor

docs: protocols toolchain
	$(BUILD) --target MullionKit
	SWIFT='$(SWIFT)' scripts/docs --out '$(DOCS)'

deps:
	@scripts/deps build run

deps-test:
	@scripts/deps build run examples test

deps-slow:
	@scripts/deps build run examples test slow

protocols: deps
	@scripts/protocols

check:
	@SWIFT='$(SWIFT)' scripts/check

toolchain:
	@command -v $(SWIFT) >/dev/null || { \
	  echo 'No Swift toolchain in PATH: install Swift 6.2 or later (see docs/install.md).' >&2; exit 1; }

clean:
	rm -rf .build .build-slow .build-asan .build-install Examples/.build $(FUZZ) nightly docs-site Sources/C/CWlroots/protocol Sources/C/CWlroots/include/*-protocol.h Sources/C/CWlroots/include/mullion_protocols.h Sources/C/CBenchClient/protocol Examples/Sources/life-c/protocol Examples/Sources/windows-c/protocol Sources/C/CWindowsClient/protocol $(TOUR)
