/** The lines of two texts: common, gone, new. Pure; `test/web/agents.test.ts`. */

export interface Line {
  readonly kind: "same" | "gone" | "new"
  readonly text: string
}

/** Texts of more lines than this are compared as a whole: the table below grows with the square. */
const most = 400

const whole = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Line> => [
  ...before.map((text): Line => ({ kind: "gone", text })),
  ...after.map((text): Line => ({ kind: "new", text }))
]

/** By the longest common subsequence of lines. */
export const linesOf = (before: string, after: string): ReadonlyArray<Line> => {
  const a = before === "" ? [] : before.split("\n")
  const b = after === "" ? [] : after.split("\n")
  if (a.length > most || b.length > most)
    return before === after ? a.map((text) => ({ kind: "same", text })) : whole(a, b)
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row !== undefined) row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  const lines: Array<Line> = []
  let [i, j] = [0, 0]
  while (i < a.length || j < b.length) {
    const [gone, fresh] = [a[i], b[j]]
    if (gone !== undefined && gone === fresh) {
      lines.push({ kind: "same", text: gone })
      i++
      j++
    } else if (gone !== undefined && (fresh === undefined || at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ kind: "gone", text: gone })
      i++
    } else {
      lines.push({ kind: "new", text: fresh ?? "" })
      j++
    }
  }
  return lines
}
