.DEFAULT_GOAL := help
MVN := ./mvnw -B -ntp

.PHONY: help build thorough test quick prose format clean javadoc browser pictures sim compare torture failovers soak table-soak server-trial plots bench bench-quick sample reproducible release-dry-run

help: ## Say what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

build: ## Everything that CI runs: compile, test, architecture, format
	$(MVN) verify

# Any of these may be given: make thorough SEED=7
thorough: ## The same at full strength, with random seeds: about half an hour
	$(MVN) verify -Pthorough -Dtest.seed=$(or $(SEED),$(shell date +%s))

test: ## Tests without the slow ones
	$(MVN) test -DexcludedGroups=slow

quick: ## Compile and package; no tests, no format check, no enforcer
	$(MVN) -q package -DskipTests -Dspotless.check.skip -Denforcer.skip

# Any of these may be given: make prose PATHS='core docs' GRAMMAR=0; SAMPLE=200 SEED=7 prints sentences to read instead.
PROSE = $(foreach name,GRAMMAR SAMPLE SEED,$(if $($(name)),$(name)=$($(name)))) $(PATHS)

prose: ## Report sentences in docs, Javadoc, comments and messages that break the rules of style or grammar
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl build/prose package
	java -cp 'build/prose/target/classes:build/prose/target/lib/*' dev.holdfast.prose.Prose $(PROSE)

format: ## Format the Java code
	$(MVN) -q spotless:apply

clean: ## Remove what builds have made
	$(MVN) -q clean

javadoc: ## API documentation into target/reports/apidocs
	$(MVN) -q -DskipTests -Dspotless.check.skip package javadoc:aggregate

browser: ## The lock server's page in a real Chromium; needs node, npm and chromium
	npm ci --prefix server-tests/browser --no-audit --no-fund
	$(MVN) verify -pl server-tests -am -Dtest=BrowserTest -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip

pictures: ## The pictures of the lock server's page in docs/images; needs node, npm and chromium
	npm ci --prefix server-tests/browser --no-audit --no-fund
	HOLDFAST_PICTURES=$(CURDIR)/docs/images $(MVN) verify -pl server-tests -am -Dtest=BrowserTest -Dsurefire.failIfNoSpecifiedTests=false -Dspotless.check.skip

# Any of these may be given: make sim SCENARIO=storm SEED=100 TIME=60
SIM = $(foreach name,SCENARIO SEED TIME SCHEDULES TRACE,$(if $($(name)),$(name)=$($(name))))
SIMULATOR = java -Xmx1g -cp core/target/classes:proof/testkit/target/classes:proof/simulator/target/classes

sim: ## Simulated faults for TIME seconds (30 a scenario) from SEED; TRACE=1 plays one seed and prints it
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/simulator -am package
	$(SIMULATOR) dev.holdfast.simulator.Simulate $(SIM)

compare: ## The textbook's Redlock beside Holdfast, fault by fault, in SCHEDULES (1000) schedules each
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/simulator -am package
	$(SIMULATOR) dev.holdfast.simulator.Comparison $(SCHEDULES)

# Any of these may be given: make torture TIME=60 SEED=1 NODE=cluster
TORTURE = $(foreach name,TIME SEED NODE NODES GROUPS CLIENTS TEXTBOOKS WORKERS RECIPES BROKEN FAULTS DIRECTORY,$(if $($(name)),$(name)=$($(name))))

torture: ## Real faults on real servers for TIME seconds (600), with SEED; report in target/torture
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/torture -am package
	java -Xmx1500m -cp 'proof/torture/target/*:proof/torture/target/lib/*' dev.holdfast.torture.Torture $(TORTURE)

# Any of these may be given: make failovers KILLS=100 SEED=1 FAULT=stop
failovers: ## Time from the kill of a cluster's leader to the next grant, for KILLS (30) kills
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/torture -am package
	java -Xmx512m -cp 'proof/torture/target/*:proof/torture/target/lib/*' dev.holdfast.torture.failover.Failovers \
		$(foreach name,KILLS SEED FAULT,$(if $($(name)),$(name)=$($(name))))

# Any of these may be given: make soak HOURS=0.5 SEED=1
SOAK = $(foreach name,HOURS SEED NODES CLIENTS WORKERS READERS WINDOWS DIRECTORY,$(if $($(name)),$(name)=$($(name))))

soak: ## Ordinary trouble for HOURS (2), after which nothing may have grown; report in target/soak
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/torture -am package
	java -Xmx512m -Dorg.slf4j.simpleLogger.defaultLogLevel=off -cp 'proof/torture/target/*:proof/torture/target/lib/*' \
		dev.holdfast.torture.soak.Soak $(SOAK)

table-soak: ## Locks in PostgreSQL for MINUTES (60), after which no table may have grown
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/benchmarks -am package
	java -Xmx512m -Dorg.slf4j.simpleLogger.defaultLogLevel=warn -cp 'proof/benchmarks/target/*:proof/benchmarks/target/lib/*' \
		dev.holdfast.benchmarks.soak.TableSoak $(or $(MINUTES),60)

# Any of these may be given: make server-trial TRIAL=reconnect TIME=600 CLIENTS=1000
SERVER_TRIAL = $(foreach name,TRIAL TIME CLIENTS SEED DIRECTORY,$(if $($(name)),$(name)=$($(name))))

server-trial: ## A lock server under a TRIAL, such as 1,000 reconnecting clients for an hour; report in target/server-trial
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/torture -am package
	java -Xmx1g -Dorg.slf4j.simpleLogger.defaultLogLevel=off -cp 'proof/torture/target/*:proof/torture/target/lib/*' \
		dev.holdfast.torture.server.ServerTrials $(SERVER_TRIAL)

# Any of these may be given: make sample PORT=9001 DASHBOARD=0 NODES=3 RATE=10
SAMPLE = $(foreach name,PORT DASHBOARD NODES RATE,$(if $($(name)),$(name)=$($(name))))

sample: ## An order service on Spring Boot: three instances, PostgreSQL, five Redis nodes, some load; Ctrl-C ends it
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl examples/sample -am package
	@java -Xmx128m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp 'examples/sample/target/*:examples/sample/target/lib/*' \
		dev.holdfast.sample.stage.Sample $(SAMPLE)

# The driver's log is off: it would only report each node that the plots stop on purpose.
plots: ## Measure and draw what docs/plots shows, some minutes; best on a machine with nothing else to do
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/torture -am package
	java -Xmx1g -Dorg.slf4j.simpleLogger.defaultLogLevel=off -cp 'proof/torture/target/*:proof/torture/target/lib/*' \
		dev.holdfast.torture.plot.Plots docs/plots

# Any of these may be given, several values separated by semicolons: make bench SCENARIO=hot ROUNDS=3. CASE='N = 1, 8' and SIDE='holdfast;raw' select by
# parts of names. SECONDS is the length of a turn, WARMUP the longest warm-up of a side. With KEEP=docs/benchmarks, scenarios that are not measured come from the report there.
BENCH = $(foreach name,SCENARIO CASE SIDE SIZE ROUNDS SECONDS WARMUP TO KEEP,$(if $($(name)),'$(name)=$($(name))'))

bench: ## Holdfast beside its peers and the limit on real servers; best on a machine with nothing else to do
	$(MVN) -q -DskipTests -Dspotless.check.skip -pl proof/benchmarks -am package
	java -cp 'proof/benchmarks/target/*:proof/benchmarks/target/lib/*' dev.holdfast.benchmarks.Benchmarks $(BENCH)

bench-quick: ## The same in ten minutes, for a first look: less of everything, fewer rounds, not all code warm
	$(MAKE) bench SIZE=quick $(if $(ROUNDS),,ROUNDS=2) $(if $(WARMUP),,WARMUP=3)

reproducible: ## Build a release twice, in two places and surroundings, and compare the bits
	build/release/reproducible

# make release-dry-run VERSION=0.1.0; without it, the version that these sources would become
release-dry-run: ## All of a release but the upload, into target/release-repository
	build/release/dry-run $(VERSION)
