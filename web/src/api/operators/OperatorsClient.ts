/** The groups of operations. Generated from the service's definitions by `npm run client`: do not edit. */
import { Client } from "@parley/client"
import type { Listed, ParleyOptions, RequestOptions } from "@parley/client"
import { operations } from "./operations.ts"
import type {
  FlagGateSetting,
  InstallationEvent,
  NewResync,
  NodeSwitch,
  OperatedOrganization,
  OperatedOrganizationChanges,
  OperatedOrganizationDetail,
  OperatorEventsListQuery,
  OperatorFlagsListAnswer,
  OperatorNodesListAnswer,
  OperatorOrganizationsListQuery,
  OperatorProvidersListAnswer,
  OperatorResyncsListQuery,
  OperatorSession,
  OperatorSessionEndAnswer,
  OperatorSessionStartBody,
  Resync,
  ResyncDetail,
  ServiceNode
} from "./types.ts"

/** Operators sign in and out. */
export interface OperatorSessionOperations {
  /**
   * `POST /api/operator/session`: Sign in as an operator. Sets the cookie `parley_operator` (HttpOnly,
   * SameSite=Strict, only for `/api/operator`, Secure in production), for 12 hours or until an hour without a
   * request. Changes made with it need the `csrfToken` in the header `X-CSRF-Token`.
   */
  start(body: OperatorSessionStartBody, options?: RequestOptions): Promise<OperatorSession>

  /** `GET /api/operator/session`: Get who is signed in. */
  get(options?: RequestOptions): Promise<OperatorSession>

  /** `DELETE /api/operator/session`: Sign out. */
  end(options?: RequestOptions): Promise<OperatorSessionEndAnswer>
}

/** All organizations: plans, stages, flags, terms, usage. */
export interface OperatorOrganizationsOperations {
  /**
   * `GET /api/operator/organizations`: List organizations. By name. `search` finds a part of the name, or a whole
   * id.
   */
  list(query?: OperatorOrganizationsListQuery, options?: RequestOptions): Listed<OperatedOrganization>

  /**
   * `GET /api/operator/organizations/{id}`: Get an organization. With its limits, its own terms, and what it has
   * used in this month.
   */
  get(id: string, options?: RequestOptions): Promise<OperatedOrganizationDetail>

  /**
   * `PATCH /api/operator/organizations/{id}`: Change plan, stage, flags and terms. All of it or nothing. A new plan
   * sets `voiceAgents` to its usual value unless `flags` names it. The organization's audit log tells what changed,
   * the installation's log the reason, too.
   */
  change(id: string, body: OperatedOrganizationChanges, options?: RequestOptions): Promise<OperatedOrganizationDetail>
}

/** How many organizations may use the flags that they have. */
export interface OperatorFlagsOperations {
  /**
   * `GET /api/operator/flags`: List the gates of flags. An organization may use a flag that it has, while the gate
   * of its stage lets it through. `reach` counts organizations: all, those that have the flag, and those that may
   * use it.
   */
  list(options?: RequestOptions): Promise<OperatorFlagsListAnswer>

  /**
   * `PUT /api/operator/flags/{flag}`: Open or close the gate of a flag. In percent of the organizations of each
   * stage; 0 takes the flag from all of them. It holds from the next request and the next call on. A gate that
   * opens further keeps the organizations that it has let through.
   */
  set(flag: string, body: FlagGateSetting, options?: RequestOptions): Promise<OperatorFlagsListAnswer>
}

/** Runs that bring all voice agents up to date. */
export interface OperatorResyncsOperations {
  /** `GET /api/operator/resyncs`: List runs. Newest first. */
  list(query?: OperatorResyncsListQuery, options?: RequestOptions): Listed<Resync>

  /**
   * `POST /api/operator/resyncs`: Start a run. Gives every voice agent of an organization, or of all (null), the
   * locked provider stack, and the engines its configuration anew. One run at a time; a second one is 409. Agents
   * that fail keep working as before.
   */
  start(body: NewResync, options?: RequestOptions): Promise<Resync>

  /** `GET /api/operator/resyncs/{id}`: Get a run. With its failures, at most 500. */
  get(id: string, options?: RequestOptions): Promise<ResyncDetail>

  /** `POST /api/operator/resyncs/{id}/pause`: Pause a run. After the agent that it is at. */
  pause(id: string, options?: RequestOptions): Promise<ResyncDetail>

  /** `POST /api/operator/resyncs/{id}/resume`: Resume a run. Behind the last agent that was done. */
  resume(id: string, options?: RequestOptions): Promise<ResyncDetail>

  /** `POST /api/operator/resyncs/{id}/cancel`: Cancel a run. Agents that were done stay so. */
  cancel(id: string, options?: RequestOptions): Promise<ResyncDetail>
}

/** How providers do, as all nodes see them. */
export interface OperatorProvidersOperations {
  /**
   * `GET /api/operator/providers`: List the providers. Those in trouble first. A provider has trouble at a node
   * while its last requests there have failed.
   */
  list(options?: RequestOptions): Promise<OperatorProvidersListAnswer>
}

/** The processes of the service, their lines, and taking them out of use. */
export interface OperatorNodesOperations {
  /**
   * `GET /api/operator/nodes`: List the nodes. The processes of the service, as they told of themselves within the
   * last seconds. `lines` are calls at once; null: the node takes none.
   */
  list(options?: RequestOptions): Promise<OperatorNodesListAnswer>

  /**
   * `POST /api/operator/nodes/{id}/drain`: Take a node out of use. It takes no new calls, `/readyz` is 500, and its
   * calls go on to their end; then it can be stopped. 409 when no other node takes calls.
   */
  drain(id: string, body: NodeSwitch, options?: RequestOptions): Promise<ServiceNode>

  /** `POST /api/operator/nodes/{id}/open`: Put a node back into use. */
  open(id: string, body: NodeSwitch, options?: RequestOptions): Promise<ServiceNode>
}

/** What happened to the installation, and who did it. */
export interface OperatorEventsOperations {
  /**
   * `GET /api/operator/events`: What happened to the installation. Newest first: what operators did, and what nodes
   * and providers did by themselves. Entries cannot be changed.
   */
  list(query?: OperatorEventsListQuery, options?: RequestOptions): Listed<InstallationEvent>
}

/** A client of the part of the interface that operators use in the dashboard. */
export class OperatorsClient extends Client {
  constructor(options: ParleyOptions) {
    super(options, operations)
  }

  /** Operators sign in and out. */
  readonly operatorSession: OperatorSessionOperations = this.group<OperatorSessionOperations>("operatorSession")

  /** All organizations: plans, stages, flags, terms, usage. */
  readonly operatorOrganizations: OperatorOrganizationsOperations = this.group<OperatorOrganizationsOperations>("operatorOrganizations")

  /** How many organizations may use the flags that they have. */
  readonly operatorFlags: OperatorFlagsOperations = this.group<OperatorFlagsOperations>("operatorFlags")

  /** Runs that bring all voice agents up to date. */
  readonly operatorResyncs: OperatorResyncsOperations = this.group<OperatorResyncsOperations>("operatorResyncs")

  /** How providers do, as all nodes see them. */
  readonly operatorProviders: OperatorProvidersOperations = this.group<OperatorProvidersOperations>("operatorProviders")

  /** The processes of the service, their lines, and taking them out of use. */
  readonly operatorNodes: OperatorNodesOperations = this.group<OperatorNodesOperations>("operatorNodes")

  /** What happened to the installation, and who did it. */
  readonly operatorEvents: OperatorEventsOperations = this.group<OperatorEventsOperations>("operatorEvents")
}
