/** Draws a V8 profile as a flame graph in SVG: the width is processor time, and a caller is below the functions it calls. */

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: ReadonlyArray<number>
}

export interface Profile {
  readonly nodes: ReadonlyArray<ProfileNode>
  readonly samples: ReadonlyArray<number>
  /** Microseconds before each sample. */
  readonly timeDeltas: ReadonlyArray<number>
}

interface Flame {
  readonly name: string
  readonly where: string
  micros: number
  readonly above: Map<string, Flame>
}

const [width, rowHeight] = [1_200, 16]
/** What is narrower cannot be seen, in parts of the whole. */
const narrowest = 0.001
/** Not on the processor, or no function. */
const leftOut: ReadonlySet<string> = new Set(["(root)", "(idle)"])

/** A file as a reader knows it: of the project, of a package, of Node. */
const place = (url: string, line: number): string => {
  if (url === "") return ""
  const short = url.replace(/^.*\/node_modules\//, "").replace(/^.*\/(src|bench)\//, "$1/")
  return `${short}:${line + 1}`
}

const group = (where: string): "parley" | "effect" | "node" | "package" | "engine" => {
  if (where === "") return "engine"
  if (where.startsWith("src/")) return "parley"
  if (where.startsWith("effect/") || where.startsWith("@effect/")) return "effect"
  return where.startsWith("node:") ? "node" : "package"
}
const colours = {
  parley: "#e07b39",
  effect: "#8e7cc3",
  node: "#6aa84f",
  package: "#45818e",
  engine: "#999999"
} as const

/** Stacks put together by function, whatever their line; `parley` beginnings are as they were called. */
const flamesOf = ({ nodes, samples, timeDeltas }: Profile): Flame => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map<number, number>()
  for (const [index, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + timeDeltas[index])
  const root: Flame = { name: "the engine's process", where: "", micros: 0, above: new Map() }
  /** Adds the time of a node and of all it calls to `flame`; gives the sum. */
  const add = (id: number, below: Flame): number => {
    const node = byId.get(id)
    if (node === undefined || node.callFrame.functionName === "(idle)") return 0
    const { functionName, url, lineNumber } = node.callFrame
    const where = place(url, lineNumber)
    const name = functionName === "" ? "(anonymous)" : functionName
    let flame = below
    if (!leftOut.has(name)) {
      const key = `${name} ${where}`
      flame = below.above.get(key) ?? { name, where, micros: 0, above: new Map() }
      below.above.set(key, flame)
    }
    const sum = (own.get(id) ?? 0) + (node.children ?? []).reduce((total, child) => total + add(child, flame), 0)
    if (flame !== below) flame.micros += sum
    return sum
  }
  root.micros = nodes.length === 0 ? 0 : add(nodes[0].id, root)
  return root
}

const escape = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

const depthOf = (flame: Flame, least: number): number =>
  1 + Math.max(0, ...[...flame.above.values()].filter(({ micros }) => micros >= least).map((it) => depthOf(it, least)))

export const flameSvg = (profile: Profile): string => {
  const root = flamesOf(profile)
  const least = root.micros * narrowest
  const height = (depthOf(root, least) + 2) * rowHeight
  const boxes: Array<string> = []
  const draw = (flame: Flame, x: number, depth: number) => {
    const wide = (flame.micros / root.micros) * width
    const share = ((flame.micros / root.micros) * 100).toFixed(1)
    const y = height - (depth + 1) * rowHeight
    const label = wide > 40 ? escape(flame.name.slice(0, Math.floor(wide / 6.5))) : ""
    boxes.push(
      `<g><title>${escape(`${flame.name} ${flame.where}`)} ${share} %</title>` +
        `<rect x="${x.toFixed(1)}" y="${y}" width="${wide.toFixed(1)}" height="${rowHeight - 1}" fill="${colours[group(flame.where)]}"/>` +
        `${label === "" ? "" : `<text x="${(x + 2).toFixed(1)}" y="${y + 11}">${label}</text>`}</g>`
    )
    let next = x
    for (const above of [...flame.above.values()].toSorted((a, b) => b.micros - a.micros)) {
      if (above.micros < least) continue
      draw(above, next, depth + 1)
      next += (above.micros / root.micros) * width
    }
  }
  draw(root, 0, 0)
  const legend = Object.entries(colours).map(
    ([name, colour], index) =>
      `<rect x="${10 + index * 110}" y="4" width="10" height="10" fill="${colour}"/><text x="${25 + index * 110}" y="13">${name === "engine" ? "V8, system" : name}</text>`
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="monospace" font-size="10"><rect width="100%" height="100%" fill="#fff"/>${legend.join("")}${boxes.join("\n")}</svg>\n`
}
