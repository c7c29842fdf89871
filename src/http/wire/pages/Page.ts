/**
 * Pages that people see who are not in the dashboard: while they connect an assistant, and when they pay. Plain HTML of this server alone. The only style is the one here, named by its
 * hash, and so is the script of a page, if it has one. Whatever comes from outside passes `html`, which escapes it.
 */
import { createHash } from "node:crypto"
import { HttpServerResponse } from "effect/http"

/** Text that is HTML already. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign])

type Part = string | Html | ReadonlyArray<Html>

const written = (part: Part): string => {
  if (typeof part === "string") return escaped(part)
  return part instanceof Html ? part.text : part.map(({ text }) => text).join("")
}

/** A template whose values are escaped, unless they are `Html`. */
export const html = (texts: TemplateStringsArray, ...parts: ReadonlyArray<Part>): Html =>
  new Html(texts.map((text, at) => text + (at < parts.length ? written(parts[at]) : "")).join(""))

export const nothing = new Html("")

const style = `
:root{color-scheme:light dark;--back:#f6f7f9;--card:#fff;--text:#1b2430;--soft:#5a6675;--line:#d5dbe3;--main:#1f5fd0;--on:#fff;--warn:#8a4b00;--warnback:#fff4e0;--bad:#a61b1b}
@media (prefers-color-scheme:dark){:root{--back:#11151b;--card:#1a2029;--text:#e8edf4;--soft:#a3afbf;--line:#36404d;--main:#7fb0ff;--on:#0c1420;--warn:#ffcf8a;--warnback:#33260f;--bad:#ff9d9d}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto;padding:1.5rem 1rem 3rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.25rem}
.brand{font-weight:700;color:var(--soft);margin:0 0 .75rem}
h1{font-size:1.35rem;line-height:1.3;margin:0 0 .75rem;overflow-wrap:anywhere}
h2{font-size:1rem;margin:1.25rem 0 .5rem}
p{margin:.5rem 0;overflow-wrap:anywhere}
.soft{color:var(--soft);font-size:.9rem}
.warn{background:var(--warnback);color:var(--warn);border-radius:8px;padding:.6rem .8rem}
.bad{color:var(--bad);font-weight:600}
label.field{display:block;margin:.9rem 0 .25rem;font-weight:600}
input.text{width:100%;padding:.65rem .7rem;font:inherit;color:inherit;background:var(--back);border:1px solid var(--soft);border-radius:8px}
dl{margin:0;display:grid;grid-template-columns:auto 1fr;gap:.3rem .9rem}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
fieldset{border:0;padding:0;margin:0;min-width:0}
legend{font-weight:700;padding:0;margin:1.25rem 0 .5rem}
.scope{display:flex;gap:.65rem;padding:.45rem 0;border-top:1px solid var(--line)}
.scope input{width:1.15rem;height:1.15rem;margin:.2rem 0 0;flex:none;accent-color:var(--main)}
code{font:.82rem/1.4 ui-monospace,monospace;color:var(--soft);overflow-wrap:anywhere}
.row{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
button{flex:1 1 8rem;min-height:2.9rem;padding:.5rem 1rem;font:inherit;font-weight:600;border-radius:8px;border:1px solid var(--soft);background:transparent;color:var(--text);cursor:pointer}
button.main{background:var(--main);border-color:var(--main);color:var(--on)}
button.plain{flex:none;min-height:0;border:0;padding:.35rem 0;color:var(--main);text-decoration:underline;font-weight:400}
:focus-visible{outline:3px solid var(--main);outline-offset:2px}
`

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`
const styleHash = hashOf(style)

/** Where the page's form may lead. A browser checks this for each redirect that follows, also for those of the client's own site. */
const policy = (formTargets: string, script: string | undefined) =>
  `default-src 'none'; style-src ${styleHash}; ${script === undefined ? "" : `script-src ${hashOf(script)}; `}base-uri 'none'; form-action 'self' ${formTargets}; frame-ancestors 'none'`

export interface PageOptions {
  readonly status: number
  readonly title: string
  readonly body: Html
  /** Sources besides this server, as in a Content-Security-Policy. */
  readonly formTargets?: string
  /** A script of ours, the same for everybody: nothing from outside may be in it. */
  readonly script?: string
}

export const page = ({ status, title, body, formTargets = "", script }: PageOptions) => {
  const { text } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Parley</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="brand">Parley</p>
<div class="card">
${body}
</div>
</main>
${script === undefined ? nothing : new Html(`<script>${script}</script>`)}
</body>
</html>
`
  return HttpServerResponse.text(text, {
    status,
    contentType: "text/html; charset=utf-8",
    headers: { "content-security-policy": policy(formTargets, script), "cache-control": "no-store" }
  })
}

/** A page that says what is wrong, and what to do. */
export const problemPage = (status: number, title: string, sentence: string) =>
  page({ status, title, body: html`<h1>${title}</h1><p>${sentence}</p>` })
