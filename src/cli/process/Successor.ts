/** A process that takes the place of a worker while that one still works (`reload`). */

const variable = "PARLEY_SUCCESSOR"

/** The variable that makes a successor of a worker. */
export const successorMark: Readonly<Record<string, string>> = { [variable]: "1" }

/** Whether this process is one. Processes that it starts are not. */
export const isSuccessor = (): boolean => {
  const marked = process.env[variable] !== undefined
  delete process.env[variable]
  return marked
}
