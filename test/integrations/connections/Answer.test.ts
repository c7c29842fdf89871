import type { ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { Client } from "undici"
import { describe, expect, it } from "vitest"
import { listen } from "../../../simulators/support/Loopback.ts"
import { Answer, BodyLate, readText } from "../../../src/integrations/connections/Answer.ts"

/** The answer that `answer` writes, available once its head has come. */
const bodyOf = async (answer: (response: ServerResponse) => Promise<void>) => {
  const { url, close } = await listen((_request, response) => answer(response))
  const client = new Client(url)
  const body = new Answer()
  await new Promise<void>((begun, lost) => {
    body.listener = { begun, lost }
    client.dispatch({ method: "GET", path: "/" }, body)
  })
  return {
    body,
    close: async () => {
      await client.destroy()
      await close()
    }
  }
}

const all = async (body: Answer): Promise<string> => {
  let text = ""
  for (let piece = await body.next(1_000); piece !== undefined; piece = await body.next(1_000)) text += piece
  return text
}

describe("the body of an answer", () => {
  it("is read completely, piece by piece, whether reading starts early or late", async () => {
    for (const waitMs of [0, 50]) {
      const { body, close } = await bodyOf(async (response) => {
        response.write("one ")
        await sleep(20)
        response.end("two")
      })
      await sleep(waitMs)
      expect(await all(body)).toBe("one two")
      expect(await body.next(10)).toBeUndefined()
      await close()
    }
  })

  it("times out when nothing comes, and can be read further afterwards", async () => {
    const { body, close } = await bodyOf(async (response) => {
      response.write("one")
      await sleep(150)
      response.end("two")
    })
    expect(String(await body.next(1_000))).toBe("one")
    await expect(body.next(20)).rejects.toBeInstanceOf(BodyLate)
    expect(await all(body)).toBe("two")
    await close()
  })

  it("fails when the connection breaks, also for readers that ask afterwards", async () => {
    const { body, close } = await bodyOf(async (response) => {
      response.write("one")
      await sleep(20)
      response.destroy()
    })
    expect(String(await body.next(1_000))).toBe("one")
    await expect(body.next(1_000)).rejects.toThrow()
    await expect(body.next(1_000)).rejects.toThrow()
    await close()
  })

  it("is read as text up to a limit, even when pieces split its characters", async () => {
    const letters = Buffer.from("नमस्ते".repeat(20))
    const { body, close } = await bodyOf(async (response) => {
      response.write(letters.subarray(0, 7))
      await sleep(20)
      response.end(letters.subarray(7))
    })
    expect(await readText(body, 1_000)).toBe(letters.toString())
    await close()
    const endless = await bodyOf(async (response) => void response.write("x".repeat(100)))
    expect(await readText(endless.body, 50)).toHaveLength(100)
    expect(endless.body.underWay).toBe(true)
    endless.body.leave()
    await expect(endless.body.next(1_000)).rejects.toThrow("nobody waits")
    expect(endless.body.underWay).toBe(false)
    await endless.close()
  })

  it("is not taken from the sender while nobody reads it", async () => {
    let sent = 0
    const { body, close } = await bodyOf(async (response) => {
      const piece = Buffer.alloc(1 << 20)
      for (; sent < 40 && response.write(piece); sent++);
    })
    await sleep(100)
    expect(sent).toBeLessThan(40)
    expect((await body.next(1_000))?.length).toBeGreaterThan(0)
    await close()
  })
})
