/** The processor time of everything that takes part in setting up calls: the service's processes, the database, and the callers themselves. */
import type { Table } from "../support/Table.ts"
import type { Stage } from "./Stage.ts"

interface Cost {
  readonly name: string
  readonly cpuSeconds: number
}

const read = async ({ engine, app, database }: Stage): Promise<ReadonlyArray<Cost>> => {
  const separate = app !== engine
  const [engineUsage, appUsage, databaseUsage] = await Promise.all([
    engine.usage(),
    separate ? app.usage() : undefined,
    database.usage()
  ])
  const { user, system } = process.cpuUsage()
  const cost = (name: string, usage: { readonly cpuSeconds: number } | undefined): Cost => ({
    name,
    cpuSeconds: usage?.cpuSeconds ?? Number.NaN
  })
  return [
    ...(separate ? [cost("engine", engineUsage), cost("app", appUsage)] : [cost("app and engine", engineUsage)]),
    cost("database", databaseUsage),
    { name: "callers and providers", cpuSeconds: (user + system) / 1e6 }
  ]
}

/** Begins to count; the function it gives tells what was used since. */
export const watchCost = async (stage: Stage): Promise<() => Promise<ReadonlyArray<Cost>>> => {
  const before = await read(stage)
  return async () => {
    const after = await read(stage)
    return after.map(({ name, cpuSeconds }, index) => ({ name, cpuSeconds: cpuSeconds - before[index].cpuSeconds }))
  }
}

export const costTable = (costs: ReadonlyArray<Cost>, calls: number, seconds: number): Table => {
  const total = costs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  return {
    title: `Processor time by calls set up, ${calls} in ${seconds.toFixed(1)} s, their sound and their ends included`,
    columns: ["", "ms per call", "cores"],
    rows: [...costs, { name: "all", cpuSeconds: total }].map(({ name, cpuSeconds }) => [
      name,
      ((cpuSeconds * 1_000) / calls).toFixed(2),
      (cpuSeconds / seconds).toFixed(2)
    ])
  }
}
