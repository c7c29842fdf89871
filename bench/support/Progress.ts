/** One line on standard error that says how far a bench is: rewritten in place on a terminal, now and then elsewhere. */

const elsewhereEveryMs = 10_000

export interface Progress {
  readonly say: (text: string) => void
  readonly done: () => void
}

export const progress = (name: string): Progress => {
  const terminal = process.stderr.isTTY === true
  const began = performance.now()
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    say: (text) => {
      const now = performance.now()
      if (!terminal && now - lastAt < elsewhereEveryMs) return
      lastAt = now
      const line = `${name} ${Math.round((now - began) / 1_000)} s: ${text}`
      process.stderr.write(terminal ? `\r\u001b[K${line}` : `${line}\n`)
    },
    done: () => {
      if (terminal) process.stderr.write("\r\u001b[K")
    }
  }
}
