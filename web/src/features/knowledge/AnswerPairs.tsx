/** Questions with their answers, each of which becomes a passage. */
import { Plus, Trash2 } from "lucide-react"
import { Button } from "../../components/Button.tsx"
import { Input, TextArea } from "../../components/Field.tsx"
import { t } from "../../lib/i18n.ts"
import { newKey } from "../../lib/newKey.ts"

export interface Pair {
  /** Tells the rows of the form apart. */
  readonly key: string
  readonly question: string
  readonly answer: string
}

export const blankPair = (question = ""): Pair => ({ key: newKey(), question, answer: "" })

/** A source has at most so many. */
const most = 200

export const AnswerPairs = ({
  pairs,
  onChange,
  focusAnswer
}: {
  readonly pairs: ReadonlyArray<Pair>
  readonly onChange: (pairs: ReadonlyArray<Pair>) => void
  /** The question is there already: one begins with its answer. */
  readonly focusAnswer: boolean
}) => (
  <>
    {pairs.map((pair, at) => (
      <fieldset key={pair.key} className="flex flex-col gap-2 rounded-control border border-line p-3">
        <legend className="sr-only">{t("Question {n}", { n: at + 1 })}</legend>
        <Input
          label={t("Question")}
          maxLength={500}
          dir="auto"
          value={pair.question}
          onChange={(event) => onChange(pairs.with(at, { ...pair, question: event.target.value }))}
        />
        <TextArea
          label={t("Answer")}
          rows={3}
          maxLength={4_000}
          dir="auto"
          data-focus={focusAnswer && at === 0 ? true : undefined}
          value={pair.answer}
          onChange={(event) => onChange(pairs.with(at, { ...pair, answer: event.target.value }))}
        />
        {pairs.length > 1 && (
          <Button
            small
            tone="quiet"
            icon={Trash2}
            className="self-end"
            label={t("Remove question {n}", { n: at + 1 })}
            onClick={() => onChange(pairs.toSpliced(at, 1))}
          />
        )}
      </fieldset>
    ))}
    <Button
      small
      icon={Plus}
      className="self-start"
      disabled={pairs.length >= most}
      onClick={() => onChange([...pairs, blankPair()])}
    >
      {t("Another question")}
    </Button>
  </>
)
