/** Files of messages over HTTP, on the real stores: uploads as clients send them, and malformed ones. */
import { readdirSync } from "node:fs"
import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Messages } from "../../../../src/domain/messaging/conversations/Message.ts"
import { largestMediaBytes } from "../../../../src/domain/messaging/media/Media.ts"
import { signMediaLink } from "../../../../src/domain/messaging/media/MediaLink.ts"
import { comesAbout } from "../../../support/eventually.ts"
import * as samples from "../../../support/mediaSamples.ts"
import { startMessaging } from "../../../support/messaging.ts"
import { secret } from "../../world.ts"

const upload = "/api/messaging-api/media"

/** A running service, and a client that sends forms. */
const startMedia = Effect.map(startMessaging, (messaging) => {
  const { world, key } = messaging
  const send = (path: string, init: RequestInit = {}, as = key) =>
    fetch(world.base + path, { ...init, headers: { authorization: `Bearer ${as}`, ...init.headers } })
  const post = async (body: NonNullable<RequestInit["body"]>, { path = upload, as = key, headers = {} } = {}) => {
    const response = await send(path, { method: "POST", body, headers }, as)
    const answer = (await response.json()) as Record<string, unknown>
    world.contract.check("POST", path, response.status, answer)
    return { status: response.status, body: answer, headers: response.headers }
  }
  const form = (...files: ReadonlyArray<readonly [name: string, bytes: Uint8Array, filename: string]>) => {
    const data = new FormData()
    for (const [name, bytes, filename] of files) data.append(name, new Blob([new Uint8Array(bytes)]), filename)
    return data
  }
  /** The id of a file that was just uploaded. */
  const uploaded = async (bytes: Uint8Array, filename = "a.bin"): Promise<string> => {
    const { status, body } = await post(form(["file", bytes, filename]))
    assert.strictEqual(status, 201, JSON.stringify(body))
    return String(body.mediaId)
  }
  /** How many files the storage holds. */
  const count = () =>
    readdirSync(world.objectsFolder, { recursive: true, withFileTypes: true }).filter(
      (file) => file.isFile() && file.parentPath.includes("/media/")
    ).length
  return { ...messaging, send, post, form, uploaded, count }
})
type Media = Effect.Success<typeof startMedia>

const story = (name: string, tell: (media: Media) => Promise<void>, timeout?: number) =>
  it.live(name, () => Effect.flatMap(startMedia, (media) => Effect.promise(() => tell(media))), timeout)

describe("an upload", () => {
  story(
    "accepts every kind of file at both addresses, and gives the type of the content, whatever the file is called",
    async (media) => {
      for (const [type, make] of Object.entries(samples.sendable)) {
        const bytes = await make(1)
        const { status, body } = await media.post(media.form(["file", bytes, "C:\\fake\\réport\u202e.exe"]))
        assert.strictEqual(status, 201)
        assert.deepInclude(body, { mimeType: type, sizeBytes: bytes.length, filename: "réport.exe" })
        const again = await media.post(media.form(["file", bytes, "other"]), { path: "/api/media/upload" })
        assert.deepStrictEqual([again.status, again.body], [201, body])
      }
    }
  )

  story("creates one file in an organization, however many clients send the same file at once", async (media) => {
    const bytes = await samples.jpeg(3, 400)
    const answers = await Promise.all(Array.from({ length: 10 }, () => media.uploaded(bytes)))
    assert.strictEqual(new Set(answers).size, 1)
    const other = await media.post(media.form(["file", bytes, "a.jpg"]), { as: media.otherKey })
    assert.notStrictEqual(other.body.mediaId, answers[0])
    assert.strictEqual(media.count(), 2)
  })

  story("is refused with a sentence when it is malformed, and leaves nothing", async (media) => {
    const png = await samples.png()
    const multipart = (text: string, boundary = "x") => ({
      body: text,
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` }
    })
    const disposition = 'Content-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    const noFile = new FormData()
    noFile.set("note", "hello")
    const textPart = new FormData()
    textPart.set("file", "hello")
    const wrong: ReadonlyArray<readonly [RegExp, NonNullable<RequestInit["body"]>, Record<string, string>?]> = [
      [/part named `file`; the form has none/, noFile],
      [/must be a file: send it with a filename/, textPart],
      [/part named `file`, not `document`/, media.form(["document", png, "a.png"])],
      [/more than one/, media.form(["file", png, "a.png"], ["file", samples.pdf(), "b.pdf"])],
      [/more than one/, media.form(["file", png, "a.png"], ["other", samples.pdf(), "b.pdf"])],
      [/The file is empty/, media.form(["file", Buffer.alloc(0), "a.png"])],
      [/of a kind that is not known; what is taken are images/, media.form(["file", samples.html(), "a.png"])],
      [/is image\/gif/, media.form(["file", await samples.gif(), "a.png"])],
      [/is application\/zip/, media.form(["file", await samples.plainZip(), "a.docx"])],
      [/Content-Type/, JSON.stringify({ file: "a" }), { "content-type": "application/json" }],
      [/Content-Type/, new Uint8Array(png), { "content-type": "image/png" }],
      [/not complete or not well-formed/, "x", { "content-type": "multipart/form-data" }],
      [/not complete or not well-formed/, multipart(`--x\r\n${disposition}%PDF-1.4`).body, multipart("").headers],
      [/not complete or not well-formed|the form has none/, multipart("").body, multipart("").headers],
      [/not complete or not well-formed|the form has none/, multipart("no boundary").body, multipart("").headers],
      [
        /not complete or not well-formed/,
        multipart('--x--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\na\r\n--x--').body,
        multipart("").headers
      ]
    ]
    for (const [sentence, body, headers] of wrong) {
      const answer = await media.post(body, { headers: headers ?? {} })
      assert.strictEqual(answer.status, 400, String(sentence))
      assert.deepStrictEqual(Object.keys(answer.body), ["error"])
      assert.match(String(answer.body.error), sentence)
    }
    assert.strictEqual(media.count(), 0)
    assert.deepStrictEqual(readdirSync(media.world.uploads), [])
  })

  story("needs the scope, which is checked before the body is read", async (media) => {
    const { secret: reader } = await media.run(media.keyOf(media.organizationId, ["media:read"]))
    const png = await samples.png()
    const refused = await media.post(media.form(["file", png, "a.png"]), { as: reader })
    assert.strictEqual(refused.status, 403)
    assert.strictEqual((await media.post(media.form(["file", png, "a.png"]), { as: "mk_nobody" })).status, 401)
    const { secret: writer } = await media.run(media.keyOf(media.organizationId, ["media:write"]))
    const { body } = await media.post(media.form(["file", png, "a.png"]), { as: writer })
    assert.strictEqual((await media.send(`/api/media/${body.mediaId}`, {}, writer)).status, 403)
  })

  story("may have 16 MB and not a byte more", async (media) => {
    const most = Buffer.alloc(largestMediaBytes + 1)
    most.set(samples.pdf())
    const refused = await media.post(media.form(["file", most, "a.pdf"]))
    assert.strictEqual(refused.status, 400)
    assert.match(String(refused.body.error), /larger than 16 MB/)
    assert.deepStrictEqual(readdirSync(media.world.uploads), [])
    await media.uploaded(most.subarray(0, largestMediaBytes))
  })

  story("of a gigabyte is cut off early, with little of it held in memory", async (media) => {
    const before = process.memoryUsage().arrayBuffers
    const { port } = new URL(media.world.direct)
    const socket = connect(Number(port), "127.0.0.1")
    let heard = ""
    let most = 0
    const closed = new Promise<void>((resolve) => {
      socket.on("error", () => {})
      socket.on("data", (part) => {
        heard += part
      })
      socket.on("close", () => resolve())
    })
    socket.write(
      `POST ${upload} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${media.key}\r\nContent-Length: 1000000000\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF-1.4'
    )
    const chunk = Buffer.alloc(65_536)
    let sent = 0
    while (!socket.destroyed && sent < 1_000_000_000) {
      sent += chunk.length
      if (!socket.write(chunk)) await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed])
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }
    await closed
    assert.isBelow(sent, 200_000_000)
    assert.isBelow(most, 64_000_000)
    if (heard !== "") assert.match(heard, /^HTTP\/1\.1 400 [\s\S]*larger than 16 MB/)
    assert.deepStrictEqual(readdirSync(media.world.uploads), [])
  })

  story(
    "leaves nothing when its client goes away in the middle, and is completed when its client is slow",
    async (media) => {
      const { port } = new URL(media.world.direct)
      const pdf = samples.pdf(77)
      const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="slow.pdf"\r\n\r\n'
      const body = Buffer.concat([Buffer.from(head), pdf, Buffer.from("\r\n--x--\r\n")])
      const start = () => {
        const socket = connect(Number(port), "127.0.0.1")
        socket.write(
          `POST ${upload} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${media.key}\r\nContent-Length: ${body.length}\r\n` +
            "Content-Type: multipart/form-data; boundary=x\r\nConnection: close\r\n\r\n"
        )
        socket.write(body.subarray(0, head.length + 10))
        return socket
      }
      const lost = start()
      await comesAbout("a draft", () => readdirSync(media.world.uploads).length === 1)
      lost.destroy()
      await comesAbout("no draft", () => readdirSync(media.world.uploads).length === 0)
      assert.strictEqual(media.count(), 0)

      const slow = start()
      let heard = ""
      slow.on("data", (part) => {
        heard += part
      })
      for (const byte of body.subarray(head.length + 10)) {
        slow.write(Buffer.from([byte]))
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await comesAbout("the answer", () => /^HTTP\/1\.1 201 [\s\S]*"filename":"slow\.pdf"/.test(heard))
      slow.destroy()
    }
  )
})

describe("a download", () => {
  story("gives the whole file with safe headers, and only to its own organization", async (media) => {
    const bytes = samples.pdf(2)
    const id = await media.uploaded(bytes, 'Rechnung "März" €.pdf')
    const response = await media.send(`/api/media/${id}`)
    assert.strictEqual(response.status, 200)
    assert.isTrue(Buffer.from(await response.arrayBuffer()).equals(bytes))
    const headers = Object.fromEntries(response.headers)
    assert.deepInclude(headers, {
      "content-type": "application/pdf",
      "content-length": String(bytes.length),
      "accept-ranges": "bytes",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox; default-src 'none'"
    })
    const disposition =
      "attachment; filename=\"Rechnung Marz _.pdf\"; filename*=UTF-8''Rechnung%20M%C3%A4rz%20%E2%82%AC.pdf"
    assert.strictEqual(headers["content-disposition"], disposition)
    assert.strictEqual(
      (await media.send(`/api/media/${id}?inline=true`)).headers.get("content-disposition"),
      disposition
    )
    for (const path of [`/api/media/${id}`, `/api/media/${id}/link`]) {
      assert.strictEqual((await media.send(path, {}, media.otherKey)).status, 404)
      assert.strictEqual((await media.send(path, {}, "mk_nobody")).status, 401)
    }
    assert.strictEqual((await media.send("/api/media/med_nothing")).status, 404)
  })

  story("lets a page show pictures, sound and video only when the request asks for it", async (media) => {
    const id = await media.uploaded(await samples.png(5), "a.png")
    const disposition = async (query: string) =>
      (await media.send(`/api/media/${id}${query}`)).headers.get("content-disposition")
    assert.strictEqual(await disposition(""), 'attachment; filename="a.png"')
    assert.strictEqual(await disposition("?inline=true"), 'inline; filename="a.png"')
    assert.strictEqual((await media.send(`/api/media/${id}?inline=maybe`)).status, 400)
  })

  story("gives parts, compares versions and answers HEAD", async (media) => {
    const bytes = await samples.jpeg(4, 120)
    const id = await media.uploaded(bytes)
    const get = (headers: Record<string, string>, method = "GET") => media.send(`/api/media/${id}`, { method, headers })
    const etag = (await get({})).headers.get("etag") ?? ""
    const size = bytes.length
    await fc.assert(
      fc.asyncProperty(fc.nat(size + 20), fc.option(fc.nat(size + 20)), async (first, last) => {
        const response = await get({ range: `bytes=${first}-${last ?? ""}` })
        const body = Buffer.from(await response.arrayBuffer())
        if (last !== null && last < first) return assert.strictEqual(response.status, 200)
        if (first >= size) {
          assert.strictEqual(response.status, 416)
          return assert.strictEqual(response.headers.get("content-range"), `bytes */${size}`)
        }
        const end = Math.min(last ?? size - 1, size - 1)
        assert.strictEqual(response.status, 206)
        assert.strictEqual(response.headers.get("content-range"), `bytes ${first}-${end}/${size}`)
        assert.isTrue(body.equals(bytes.subarray(first, end + 1)))
      }),
      { numRuns: 60 }
    )
    assert.strictEqual(
      (await get({ range: "bytes=-5" })).headers.get("content-range"),
      `bytes ${size - 5}-${size - 1}/${size}`
    )
    assert.strictEqual((await get({ "if-none-match": etag })).status, 304)
    assert.strictEqual((await get({ range: "bytes=0-1", "if-range": '"other"' })).status, 200)
    assert.strictEqual((await get({ range: "bytes=0-1", "if-range": etag })).status, 206)
    const head = await get({}, "HEAD")
    assert.deepStrictEqual([head.status, head.headers.get("content-length")], [200, String(size)])
    assert.strictEqual((await head.arrayBuffer()).byteLength, 0)
  })

  story("by link needs no key, and works for one file until the link expires or is altered", async (media) => {
    const bytes = samples.mp4(6)
    const id = await media.uploaded(bytes)
    const { url, expiresAt } = (await (await media.send(`/api/media/${id}/link?minutes=5`)).json()) as Record<
      string,
      string
    >
    const link = new URL(url)
    assert.closeTo(Date.parse(expiresAt), Date.now() + 300_000, 5_000)
    const open = (address: URL) => fetch(media.world.base + address.pathname + address.search)
    const opened = await open(link)
    assert.strictEqual(opened.status, 200)
    assert.isTrue(Buffer.from(await opened.arrayBuffer()).equals(bytes))
    const changed = (name: string, value: string) => {
      const copy = new URL(link)
      copy.searchParams.set(name, value)
      return copy
    }
    const over = Math.floor(Date.now() / 1_000) - 1
    const ours = { organizationId: media.organizationId, mediaId: id, expires: over }
    const expired = changed("expires", String(over))
    expired.searchParams.set("signature", signMediaLink(secret, ours))
    const other = new URL(link)
    other.pathname = `/api/media/${await media.uploaded(samples.mp4(7))}/file`
    for (const address of [
      expired,
      other,
      changed("organization", media.otherId),
      changed("signature", "0".repeat(64)),
      changed("signature", "é")
    ])
      assert.strictEqual((await open(address)).status, 403)
    for (const query of ["minutes=0", "minutes=61", "minutes=x", "minutes=1.5"])
      assert.strictEqual((await media.send(`/api/media/${id}/link?${query}`)).status, 400)
  })
})

describe("files", () => {
  story(
    "are listed newest first, by kind and time, and not across organizations",
    async ({ raw, uploaded, otherKey }) => {
      const image = await uploaded(await samples.png(3))
      const sound = await uploaded(samples.mp3(3))
      const list = async (query: string) =>
        ((await raw("GET", `/api/media?${query}`)).body.data as ReadonlyArray<{ mediaId: string; url: string }>).map(
          ({ mediaId }) => mediaId
        )
      assert.deepStrictEqual(await list(""), [sound, image])
      assert.deepStrictEqual(await list("kind=image"), [image])
      assert.deepStrictEqual(await list("since=2099-01-01T00:00:00Z"), [])
      const { body } = await raw("GET", "/api/media?limit=1")
      assert.deepStrictEqual(await list(`cursor=${body.nextCursor}`), [image])
      assert.deepInclude(body, { total: 2 })
      assert.deepInclude((await raw("GET", "/api/media", undefined, otherKey)).body, { data: [], total: 0 })
      assert.strictEqual((await raw("GET", "/api/media?kind=fax")).status, 400)
    }
  )

  story("are deleted with their content, but not while a message with them waits", async (media) => {
    const { raw, uploaded, count, send, conversation, otherKey, run, organizationId } = media
    const id = await uploaded(await samples.png(4))
    await conversation("+14155550123", "hello")
    const message = { to: "+14155550123", type: "image", mediaId: id }
    const sent = await media.call("POST", "/send", message)
    assert.strictEqual((await raw("DELETE", `/api/media/${id}`, undefined, otherKey)).status, 404)
    const waiting = await raw("DELETE", `/api/media/${id}`)
    assert.strictEqual(waiting.status, 409)
    assert.match(String(waiting.body.error), /waits to be sent/)
    // The channel has the message: it is in the outbox no more.
    await run(
      Effect.flatMap(Messages, (messages) =>
        messages.report(
          organizationId,
          { messageId: String(sent.body.messageId), channelMessageId: "wamid.1" },
          { status: "sent", at: new Date().toISOString() }
        )
      )
    )
    const before = count()
    assert.deepStrictEqual((await raw("DELETE", `/api/media/${id}`)).body, { mediaId: id, removed: true })
    assert.strictEqual(count(), before - 1)
    assert.strictEqual((await send(`/api/media/${id}`)).status, 404)
    assert.strictEqual((await raw("DELETE", `/api/media/${id}`)).status, 404)
    const shown = await media.call("GET", `/messages/${sent.body.messageId}`)
    assert.deepInclude(shown.body.content as object, { mediaId: id })
  })
})
