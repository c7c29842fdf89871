/** What the conformance suite starts as a client for each scenario: tells the test, whose connections do the work, and ends as that went. */
const [, , test = "", serverUrl = ""] = process.argv
const { MCP_CONFORMANCE_SCENARIO: scenario = "", MCP_CONFORMANCE_CONTEXT: context = "{}" } = process.env
const answer = await fetch(test, { method: "POST", body: JSON.stringify({ scenario, serverUrl, context }) })
console.log(await answer.text())
process.exitCode = answer.ok ? 0 : 1
