/** The rules of a robots.txt for this service (RFC 9309): the longest rule that fits a path decides, and of two equally long ones `Allow`. Pure. */

interface Rule {
  readonly allows: boolean
  readonly pattern: string
}

const mostRules = 5_000

/** The groups of a robots.txt: the agents that a group is for, and its rules. */
const groupsOf = (text: string) => {
  const groups: Array<{ readonly agents: Array<string>; readonly rules: Array<Rule> }> = []
  let namesAgents = false
  for (const line of text.split(/\r\n|\r|\n/).slice(0, mostRules)) {
    const [, key, value] = /^\s*([a-z-]+)\s*:\s*([^#]*?)\s*(?:#.*)?$/i.exec(line.replace(/^\uFEFF/, "")) ?? []
    if (key === undefined) continue
    const name = key.toLowerCase()
    if (name === "user-agent") {
      if (!namesAgents) groups.push({ agents: [], rules: [] })
      groups.at(-1)?.agents.push(value.toLowerCase())
      namesAgents = true
    } else if (name === "allow" || name === "disallow") {
      namesAgents = false
      if (value !== "") groups.at(-1)?.rules.push({ allows: name === "allow", pattern: value })
    } else namesAgents = false
  }
  return groups
}

/** Whether a pattern with `*` and a final `$` fits the beginning of a path. Each part is searched once, so no pattern takes long. */
const fits = (pattern: string, path: string): boolean => {
  const toEnd = pattern.endsWith("$")
  const [first, ...parts] = (toEnd ? pattern.slice(0, -1) : pattern).split("*")
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = parts.pop()
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  if (last === undefined) return !toEnd || at === path.length
  if (toEnd) return path.length - last.length >= at && path.endsWith(last)
  return path.indexOf(last, at) >= 0
}

/** Whether the agent of this name may fetch the path (with its query). The groups that name it count, or those for all. */
export const robotsAllow = (text: string, agent: string, path: string): boolean => {
  if (path === "/robots.txt") return true
  const groups = groupsOf(text)
  const own = groups.filter(({ agents }) => agents.includes(agent.toLowerCase()))
  const rules = (own.length > 0 ? own : groups.filter(({ agents }) => agents.includes("*"))).flatMap(
    (group) => group.rules
  )
  const best = rules
    .filter(({ pattern }) => fits(pattern, path))
    .toSorted((a, b) => b.pattern.length - a.pattern.length || Number(b.allows) - Number(a.allows))
    .at(0)
  return best?.allows ?? true
}
