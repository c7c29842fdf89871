/** Adds a source to a knowledge base, or changes one. A file is uploaded; of the others the service reads what is named. */
import type { KnowledgeSource, NewKnowledgeSource } from "@parley/client"
import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { parley } from "../../api/client.ts"
import { Dialog } from "../../components/Dialog.tsx"
import { Input, TextArea } from "../../components/Field.tsx"
import { FileField } from "../../components/FileField.tsx"
import { SubmitForm } from "../../components/SubmitForm.tsx"
import { message, t } from "../../lib/i18n.ts"
import { newKey } from "../../lib/newKey.ts"
import { useSubmit } from "../../lib/submit.ts"
import { say } from "../../lib/toasts.ts"
import { AnswerPairs, blankPair, type Pair } from "./AnswerPairs.tsx"
import { SyncEvery } from "./SyncEvery.tsx"
import { readBaseAgain } from "./useKnowledge.ts"

/** What the form begins with: the kind of a new source, or the source that is changed. */
export interface SourceStart {
  readonly type: KnowledgeSource["type"]
  /** A question that waits for its answer. */
  readonly question?: string
  readonly source?: KnowledgeSource
}

const titles: Readonly<Record<KnowledgeSource["type"], string>> = {
  file: message("Add a file"),
  pages: message("Add web pages"),
  notion: message("Add pages of Notion"),
  answers: message("Add questions and answers")
}

/** The addresses of a text, one a line. */
export const addressesOf = (text: string): ReadonlyArray<string> =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

export const SourceForm = ({
  baseId,
  start,
  onClose
}: {
  readonly baseId: string
  readonly start: SourceStart
  readonly onClose: () => void
}) => {
  const client = useQueryClient()
  const { type, source, question } = start
  const [title, setTitle] = useState(source?.title ?? (type === "answers" ? t("Questions and answers") : ""))
  const [sitemap, setSitemap] = useState(source?.pages?.sitemap ?? "")
  const [urls, setUrls] = useState(source?.pages?.urls?.join("\n") ?? "")
  const [notion, setNotion] = useState(source?.notion?.url ?? "")
  const [hours, setHours] = useState<number | null>(source === undefined ? 24 : source.syncEveryHours)
  const [pairs, setPairs] = useState<ReadonlyArray<Pair>>(
    source?.answers?.map((pair) => ({ ...pair, key: newKey() })) ?? [blankPair(question)]
  )
  const [file, setFile] = useState<File>()

  const written = (): NewKnowledgeSource => {
    const named = { title: title.trim() }
    if (type === "answers")
      return {
        ...named,
        answers: pairs
          .map((pair) => ({ question: pair.question.trim(), answer: pair.answer.trim() }))
          .filter((pair) => pair.question !== "" || pair.answer !== "")
      }
    if (type === "notion") return { ...named, notion: { url: notion.trim() }, syncEveryHours: hours }
    const list = addressesOf(urls)
    const pages = {
      ...(sitemap.trim() === "" ? {} : { sitemap: sitemap.trim() }),
      ...(list.length === 0 ? {} : { urls: list })
    }
    return { ...named, pages, syncEveryHours: hours }
  }
  const { busy, problem, submit } = useSubmit(async () => {
    if (source !== undefined)
      await parley.knowledgeSources.update(baseId, source.id, type === "file" ? { title: title.trim() } : written())
    else if (type !== "file") await parley.knowledgeSources.create(baseId, written())
    else if (file !== undefined) await parley.knowledgeSources.upload(baseId, { file })
    readBaseAgain(client, baseId)
    onClose()
    say(t("It is being read. That takes a moment."))
  })
  const isUpload = type === "file" && source === undefined
  const complete = {
    file: isUpload ? file !== undefined : title.trim() !== "",
    pages: title.trim() !== "" && (sitemap.trim() !== "" || addressesOf(urls).length > 0),
    notion: title.trim() !== "" && notion.trim() !== "",
    answers: title.trim() !== "" && pairs.some((pair) => pair.question.trim() !== "" && pair.answer.trim() !== "")
  }[type]
  return (
    <Dialog
      title={source === undefined ? t(titles[type]) : t("Change {name}", { name: source.title })}
      onClose={onClose}
    >
      <SubmitForm
        submit={submit}
        busy={busy}
        problem={problem}
        action={busy ? t("Saving…") : source === undefined ? t("Add and read") : t("Save and read again")}
        incomplete={!complete}
      >
        {isUpload ? (
          <FileField
            file={file}
            accept=".pdf,.docx,.md,.markdown,.txt,.html,.htm,.csv"
            mostMegabytes={16}
            onChoose={setFile}
          >
            {t("PDF, Word, Markdown, text, HTML or CSV, at most 16 MB.")}
          </FileField>
        ) : (
          <Input
            label={t("Title")}
            hint={type === "file" ? undefined : t("Agents name it as where they have something from.")}
            autoFocus={question === undefined}
            required
            maxLength={200}
            dir="auto"
            value={title}
            onChange={(event) => setTitle(event.target.value)}
          />
        )}
        {type === "pages" && (
          <>
            <Input
              label={t("Sitemap")}
              hint={t("All pages of it are read, at most 500.")}
              type="url"
              dir="ltr"
              placeholder="https://example.com/sitemap.xml"
              maxLength={2_000}
              value={sitemap}
              onChange={(event) => setSitemap(event.target.value)}
            />
            <TextArea
              label={t("Single pages")}
              hint={t("One address a line. Only public pages, as far as the site’s robots.txt allows.")}
              rows={4}
              dir="ltr"
              value={urls}
              onChange={(event) => setUrls(event.target.value)}
            />
          </>
        )}
        {type === "notion" && (
          <Input
            label={t("Address of the page or database")}
            hint={t("Notion must be connected under Integrations, and the page shared with the connection there.")}
            type="url"
            dir="ltr"
            required
            maxLength={2_000}
            value={notion}
            onChange={(event) => setNotion(event.target.value)}
          />
        )}
        {(type === "pages" || type === "notion") && <SyncEvery value={hours} onChange={setHours} />}
        {type === "answers" && <AnswerPairs pairs={pairs} onChange={setPairs} focusAnswer={question !== undefined} />}
      </SubmitForm>
    </Dialog>
  )
}
