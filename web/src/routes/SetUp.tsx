/** `/setup#token`: the first organization of an installation and its owner, with the token that the server printed when it started. */
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Link, useRouter } from "@tanstack/react-router"
import { useMemo, useState } from "react"
import { parley } from "../api/client.ts"
import { keys } from "../api/keys.ts"
import { useSessionState } from "../api/session.tsx"
import { Button } from "../components/Button.tsx"
import { Input, Select } from "../components/Field.tsx"
import { ErrorBlock, Problem, Skeleton } from "../components/States.tsx"
import { EntryPage, entryLink } from "../features/session/EntryPage.tsx"
import { NewPassword } from "../features/session/NewPassword.tsx"
import { t } from "../lib/i18n.ts"
import { useSubmit } from "../lib/submit.ts"
import { ownTimeZone, timeZones } from "../lib/timeZones.ts"

const fields = [
  "token",
  "organization.name",
  "organization.timeZone",
  "person.name",
  "person.email",
  "password"
] as const
type Field = (typeof fields)[number]

/** The field that a sentence of the service is about. */
const fieldOf = (sentence: string | undefined): Field | undefined =>
  sentence === undefined
    ? undefined
    : /token/.test(sentence)
      ? "token"
      : fields.find((field) => sentence.includes(field))

const Form = () => {
  const { enter } = useSessionState()
  const client = useQueryClient()
  const router = useRouter()
  const printed = useState(() => decodeURIComponent(location.hash.slice(1)))[0]
  const all = useMemo(timeZones, [])
  const [values, setValues] = useState({
    token: printed,
    organization: "",
    timeZone: ownTimeZone(),
    name: "",
    email: "",
    password: ""
  })
  const { busy, problem, clear, submit } = useSubmit(async () => {
    const { token, organization, timeZone, name, email, password } = values
    const session = await parley.setup.create({
      token: token.trim(),
      organization: { name: organization.trim(), timeZone },
      person: { name: name.trim(), email: email.trim(), password }
    })
    client.removeQueries({ queryKey: keys.setUp })
    await enter(session)
    // The address with the token is not kept in the history.
    router.history.replace("/")
  })
  const set = (field: keyof typeof values) => (event: { readonly target: { readonly value: string } }) => {
    clear()
    setValues({ ...values, [field]: event.target.value })
  }
  const at = fieldOf(problem)
  const of = (field: Field) => (at === field ? problem : undefined)
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {(printed === "" || at === "token") && (
        <Input
          label={t("Token")}
          hint={t("It begins with set_ and is in the log of the server.")}
          required
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={values.token}
          onChange={set("token")}
          problem={of("token")}
        />
      )}
      <Input
        label={t("Name of the organization")}
        name="organization"
        autoComplete="organization"
        required
        maxLength={200}
        dir="auto"
        value={values.organization}
        onChange={set("organization")}
        problem={of("organization.name")}
      />
      <Select
        label={t("Time zone")}
        options={all}
        value={values.timeZone}
        onChange={set("timeZone")}
        problem={of("organization.timeZone")}
      />
      <Input
        label={t("Your name")}
        name="name"
        autoComplete="name"
        required
        maxLength={200}
        dir="auto"
        value={values.name}
        onChange={set("name")}
        problem={of("person.name")}
      />
      <Input
        label={t("E-mail")}
        name="email"
        type="email"
        autoComplete="username"
        required
        maxLength={254}
        value={values.email}
        onChange={set("email")}
        problem={of("person.email")}
      />
      <NewPassword
        label={t("Password")}
        value={values.password}
        onChange={(value) => set("password")({ target: { value } })}
        problem={of("password")}
      />
      <Problem>{at === undefined ? problem : undefined}</Problem>
      <Button tone="primary" type="submit" disabled={busy} className="mt-1">
        {busy ? t("Setting up…") : t("Set up and sign in")}
      </Button>
    </form>
  )
}

const SetUp = () => {
  const { data, error, refetch } = useQuery({
    queryKey: keys.setUp,
    queryFn: ({ signal }) => parley.setup.state({ signal })
  })
  const open = data?.open === true
  return (
    <EntryPage
      title={t("Set up Parley")}
      {...(open ? { lead: t("This makes the first organization and its owner: you.") } : {})}
      under={
        <Link to="/sign-in" className={entryLink}>
          {t("To sign-in")}
        </Link>
      }
    >
      {error !== null ? (
        <ErrorBlock error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-40" />
      ) : open ? (
        <Form />
      ) : (
        <p>{t("There is an organization already. Sign in, or ask one of its owners for an invitation.")}</p>
      )}
    </EntryPage>
  )
}

export default SetUp
