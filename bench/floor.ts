/**
 * Compares what a frame of a conversation costs in the engine, including everything that happens in a call, with what it costs a bare uWebSockets.js
 * server to send the same frames back. Both run one after the other on the same processor. Without `taskset`, or without a second processor for
 * everything else, they run wherever the system puts them, and the report says so.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { makeClips } from "./crowd/Clips.ts"
import { measureFloor } from "./crowd/Echo.ts"
import { pinned, pinnedIfPossible } from "./crowd/Pinning.ts"
import { setStage } from "./crowd/Stage.ts"
import { measure, missing, perFrameUs } from "./crowd/Step.ts"
import { contentTable, heardTable, loadTable, stepPlots } from "./crowd/StepReport.ts"
import { decisive } from "./support/GeneratorCheck.ts"
import { parseOptions } from "./support/Options.ts"
import { progress } from "./support/Progress.ts"
import { publish } from "./support/Report.ts"
import { runBench } from "./support/Run.ts"

/** How many times the floor a frame pair may cost. */
const mostTimes = 2
const settleMs = 8_000

export const taken = {
  numbers: { seconds: 30, calls: 200, ramp: 10 },
  switches: ["pin"],
  means: { pin: "refuses to run where the engine cannot have processor 0 alone (it has it wherever that can be done)" }
} as const

export const run = (args: ReadonlyArray<string>): Promise<number> =>
  runBench(() =>
    Effect.gen(function* () {
      const options = parseOptions(args, taken)
      const { calls, seconds, ramp } = options
      const line = progress("floor")
      line.say("the bare server")
      const cpu = options.switches.has("pin") ? pinned(true) : pinnedIfPossible()
      const { noise } = yield* Effect.promise(makeClips)
      const floor = yield* Effect.promise(() => measureFloor(calls, seconds, noise, cpu))
      line.say("starting the service")
      const stage = yield* setStage({ calls, maxCalls: Math.ceil(calls * 1.2) + 20, engineCpu: cpu })
      const step = yield* Effect.promise(async () => {
        await stage.crowd.grow(calls, ramp)
        await sleep(settleMs)
        return measure(stage, calls, seconds, (text) => line.say(text))
      })
      line.done()
      const times = perFrameUs(step) / floor.perFrameUs
      const where = cpu === undefined ? "not pinned: on whichever processor was free" : `both on processor ${cpu} alone`
      return yield* Effect.promise(() =>
        publish(
          {
            bench: "floor",
            about: `A frame of a conversation costs ${times.toFixed(1)} times what it costs to send it back and do nothing else.`,
            options: { ...options, switches: [...options.switches] },
            tables: [
              {
                title: `A frame each way, ${where}`,
                columns: ["", "calls", "cores", "µs of processor", "resident MB"],
                rows: [
                  [
                    "bare uWebSockets.js, echo",
                    calls,
                    floor.cores.toFixed(3),
                    floor.perFrameUs.toFixed(1),
                    floor.residentBytes / 1e6
                  ],
                  [
                    "Parley's engine, whole conversations",
                    step.calls,
                    step.engineCores.toFixed(3),
                    perFrameUs(step).toFixed(1),
                    step.residentBytes / 1e6
                  ]
                ]
              },
              loadTable([step]),
              heardTable([step]),
              contentTable([step])
            ],
            plots: [
              {
                _tag: "Bars",
                title: `Processor time of a frame each way, ${where}`,
                unit: "µs",
                bars: [
                  ["bare uWebSockets.js, echo", floor.perFrameUs],
                  ["Parley's engine", perFrameUs(step)]
                ],
                limit: floor.perFrameUs * mostTimes
              },
              {
                _tag: "Bars",
                title: "Processor time",
                unit: "cores",
                bars: [
                  ["bare uWebSockets.js, echo", floor.cores],
                  ["Parley's engine", step.engineCores]
                ]
              },
              {
                _tag: "Bars",
                title: "Resident memory",
                unit: "MB",
                bars: [
                  ["bare uWebSockets.js, echo", floor.residentBytes / 1e6],
                  ["Parley's engine", step.residentBytes / 1e6]
                ]
              },
              ...stepPlots([step])
            ],
            limits: [
              {
                name: `processor time per frame pair, times the floor (${where})`,
                value: times,
                unit: "×",
                most: mostTimes
              },
              missing(step),
              ...step.tally.limits()
            ],
            // Of both parts: frames that come late come together, which flatters whoever gets them.
            generator: decisive([floor.generator, step.generator]),
            details: { floor, step }
          },
          options.json
        )
      )
    })
  )
