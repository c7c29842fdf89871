import { assert, describe, it } from "@effect/vitest"
import { decisive, type GeneratorReport, verdict } from "../../bench/support/GeneratorCheck.ts"
import { OptionsInvalid, parseOptions } from "../../bench/support/Options.ts"
import { plotSvg } from "../../bench/support/Plot.ts"
import { exitCode, type Limit, type Report, recordJson, reportHtml } from "../../bench/support/Report.ts"
import { summarize } from "../../bench/support/Statistics.ts"
import { tableMarkdown, tableText } from "../../bench/support/Table.ts"

const limit = (value: number): Limit => ({ name: "latency", value, unit: "ms", most: 30 })
const onTime = summarize([0, 1, 1, 2])
const valid: GeneratorReport = { tickLatenessMs: onTime, cores: 0.5, stolenCores: 0, invalid: null }

describe("a bench's exit code", () => {
  it("is 0 only when every limit is met and the generator kept up", () => {
    assert.strictEqual(exitCode({ limits: [limit(30)], generator: valid }), 0)
    assert.strictEqual(exitCode({ limits: [limit(30), limit(31)], generator: valid }), 1)
    assert.strictEqual(exitCode({ limits: [limit(1)], generator: { ...valid, invalid: "too slow" } }), 1)
  })

  it("needs no generator where nothing is generated", () => {
    assert.strictEqual(exitCode({ limits: [limit(30)], generator: null }), 0)
    assert.strictEqual(exitCode({ limits: [limit(31)], generator: null }), 1)
  })

  it("is 1 when nothing was measured", () => {
    assert.strictEqual(exitCode({ limits: [limit(Number.NaN)], generator: valid }), 1)
  })
})

describe("the generator's check", () => {
  it("finds a generator that was late or overloaded, and a machine that did not run in time", () => {
    assert.isNull(verdict(onTime, 0.5, 0.01))
    assert.include(verdict(summarize([1, 1, 40]), 0.5, 0) ?? "", "40.0 ms late")
    assert.include(verdict(onTime, 0.97, 0) ?? "", "0.97 cores")
    assert.include(verdict(onTime, 0.5, 0.2) ?? "", "took 0.20 cores")
  })
})

describe("several parts of a run", () => {
  it("are invalid when any one of them is", () => {
    const late = { ...valid, invalid: "late" }
    for (const parts of [
      [late, valid],
      [valid, late]
    ])
      assert.strictEqual(decisive(parts), late)
    assert.isNull(decisive([valid, valid]).invalid)
  })
})

describe("options of a bench", () => {
  const numbers = { seconds: 60, calls: 200, ramp: 20, minutes: 30, workers: 1 }
  const taken = { numbers, switches: ["pin", "stay"] as const }

  it("have defaults", () => {
    assert.deepInclude(parseOptions([], taken), { ...numbers, json: false, words: [] })
    assert.strictEqual(parseOptions([], taken).switches.size, 0)
    const given = ["--calls", "5", "--ramp=0", "--minutes", "0.5", "--json", "--pin"]
    assert.deepInclude(parseOptions(given, taken), { calls: 5, ramp: 0, minutes: 0.5, json: true })
    assert.deepEqual([...parseOptions(given, taken).switches], ["pin"])
  })

  it("include words when the bench uses them", () => {
    assert.deepEqual(
      parseOptions(["100", "--calls", "5", "250"], { numbers, words: { shown: "[STEPS…]", mean: "steps" } }).words,
      ["100", "250"]
    )
    assert.throws(() => parseOptions(["100"], taken), OptionsInvalid)
  })

  it("are accepted by every bench where they are common to all, which says that they have no effect", () => {
    const told: Array<string> = []
    const noneTaken = { numbers: { rate: 200 } }
    const options = parseOptions(["--calls", "5", "--ramp=2", "--seconds", "3", "--json"], noneTaken, (text) =>
      told.push(text)
    )
    assert.deepInclude(options, { rate: 200, json: true })
    assert.deepEqual(told.toSorted(), [
      "--calls has no effect on this bench",
      "--ramp has no effect on this bench",
      "--seconds has no effect on this bench"
    ])
    assert.throws(() => parseOptions(["--calls", "many"], noneTaken), OptionsInvalid)
    assert.throws(() => parseOptions(["--minutes", "3"], noneTaken), OptionsInvalid)
    parseOptions(["--calls", "5"], taken, () => assert.fail("it has an effect"))
  })

  it("are refused with a sentence when they make no sense", () => {
    const wrong = [
      ["--calls", "many"],
      ["--calls", "0"],
      ["--seconds", ""],
      ["--speed", "3"],
      ["--calls"],
      ["--minutes", "0"],
      ["--workers", "1.5"],
      ["--rate", "5"],
      ["--silent"]
    ]
    for (const args of wrong) assert.throws(() => parseOptions(args, taken), OptionsInvalid)
    assert.throws(() => parseOptions(["--workers", "0"], taken), /--workers must be a whole number above 0, not "0"/)
  })
})

describe("tables", () => {
  const table = {
    title: "Turns",
    columns: ["", "turns", "p50 ms"],
    rows: [
      ["clean", 12, 812.4],
      ["10 dB", 3, 99.5],
      ["5 dB", 0, Number.NaN]
    ]
  }

  it("are aligned for a terminal", () => {
    assert.deepStrictEqual(tableText(table).split("\n"), [
      "Turns",
      "         turns  p50 ms",
      "  clean     12     812",
      "  10 dB      3    99.5",
      "  5 dB       0       –"
    ])
  })

  it("are Markdown for the documents", () => {
    assert.strictEqual(tableMarkdown(table).split("\n")[1], "|---|---:|---:|")
  })
})

describe("the HTML report", () => {
  const report: Report = {
    bench: "latency",
    about: "Time <between> words",
    options: { calls: 2 },
    tables: [{ title: "A & B", columns: ["", "n"], rows: [["<script>", 1]] }],
    plots: [
      { _tag: "Histogram", title: "Delays", unit: "ms", values: [1, 2, 3], limit: 5 },
      { _tag: "Histogram", title: "Nothing", unit: "ms", values: [] },
      {
        _tag: "Series",
        title: "Calls",
        xUnit: "s",
        unit: "calls",
        points: [
          [0, 1],
          [1, 2]
        ]
      }
    ],
    limits: [limit(3), limit(31)],
    generator: valid,
    details: null
  }

  it("needs nothing from elsewhere, and shows names as text", () => {
    const html = reportHtml(report, "2026-01-01T00:00:00Z")
    assert.notMatch(html, /<script|src=|href=|url\(/)
    assert.include(html, "A &#38; B")
    assert.include(html, "MISSED")
    assert.strictEqual(html.match(/<svg/g)?.length, 3)
    assert.notMatch(html, /NaN/)
  })
})

describe("the record of a run", () => {
  it("has raw values, and evenly spaced ones from a very long list", () => {
    const kept = JSON.parse(recordJson({ short: [1.5, 2], long: Array.from({ length: 25_000 }, (_, n) => n) }))
    assert.deepStrictEqual(kept.short, [1.5, 2])
    assert.strictEqual(kept.long.length, 10_000)
    assert.deepStrictEqual(kept.long.slice(0, 3), [0, 2, 5])
    assert.isAtLeast(kept.long.at(-1), 24_990)
  })
})

describe("bars", () => {
  const bars = (values: ReadonlyArray<readonly [string, number]>, limit?: number) =>
    plotSvg({ _tag: "Bars", title: "Cost", unit: "ms", bars: values, ...(limit === undefined ? {} : { limit }) })

  it("have a name and a figure each, and a limit where one was promised", () => {
    const svg = bars(
      [
        ["recording", 2.5],
        ["<fillers>", 3.25]
      ],
      4
    )
    assert.strictEqual(svg.match(/<rect/g)?.length, 2)
    assert.include(svg, "2.5 ms")
    assert.include(svg, "&#60;fillers&#62;")
    assert.include(svg, "limit 4")
  })

  it("leave out what was not measured", () => {
    assert.strictEqual(
      bars([
        ["a", Number.NaN],
        ["b", 1]
      ]).match(/<rect/g)?.length,
      1
    )
    assert.include(bars([["a", Number.NaN]]), "nothing was measured")
    assert.notMatch(
      bars([
        ["a", Number.NaN],
        ["b", 0]
      ]),
      /NaN/
    )
  })
})
