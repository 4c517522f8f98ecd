import { reachCustomer } from "../access/reach.ts";
import { organisationOf } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import { attachFile, openFile } from "./attach-file.ts";
import { decideFindings, disputeFinding } from "./decide-findings.ts";
import { endRule, suppressFindings } from "./suppress-findings.ts";
import { listFindings, listRules } from "./findings.ts";
import { noteTelephone, readLadder, saveLadder } from "./ladder.ts";
import { mergeIncident } from "./merge-incidents.ts";
import { openByAnalyst } from "./open-by-analyst.ts";
import { listAllIncidents, listIncidents, listIncidentsOfPartner } from "./queries.ts";
import { readRoom } from "./read-room.ts";
import { listLevels, publishLevels } from "./service-levels.ts";
import { answerQuestion, commentIncident, tellIncident } from "./tell-incident.ts";
import { readAttack, reportAttack } from "./under-attack.ts";

export const incidentHandlers = {
  "user/incidents": (services, { scope }, query) => listIncidents(services, scope, query),
  "user/incidents/{id}": (services, { scope }, { id }) => readRoom(services, scope, id),
  "user/incidents/comment": async (services, { scope }, told) => ({
    message: await commentIncident(services, scope, told),
  }),
  "user/incidents/answer": async (services, { scope }, told) => ({
    message: await answerQuestion(services, scope, told),
  }),
  "user/incidents/attach": async (services, { scope }, file) => ({ message: await attachFile(services, scope, file) }),
  "user/incidents/file": (services, { scope }, asked) => openFile(services, scope, asked),
  "user/under-attack": (services, { scope }) => readAttack(services, scope),
  "user/under-attack/post": (services, { scope }, report) => reportAttack(services, scope, report),
  "user/ladder": (services, { scope }) => readLadder(services.database, organisationOf(scope)),
  "user/ladder/save": async (services, { scope }, ladder) => ({ message: await saveLadder(services, scope, ladder) }),
  "user/findings": (services, { scope }, query) => listFindings(services, scope, query),
  "user/findings/dispute": async (services, { scope }, disputed) => ({
    message: await disputeFinding(services, scope, disputed),
  }),
  "partner/incidents": (services, { scope }, query) => listIncidentsOfPartner(services, scope, query),
  "partner/incidents/{id}": (services, { scope }, { id }) => readRoom(services, scope, id),
  "partner/incidents/comment": async (services, { scope }, told) => ({
    message: await commentIncident(services, scope, told),
  }),
  "partner/incidents/file": (services, { scope }, asked) => openFile(services, scope, asked),
  "partner/findings": async (services, { scope }, { email, ...query }) =>
    listFindings(services, await reachCustomer(services.database, scope, email), query),
  "admin/incidents": (services, { scope }, query) => listAllIncidents(services, scope, query),
  "admin/incidents/{id}": (services, { scope }, { id }) => readRoom(services, scope, id),
  "admin/incidents/open": (services, { scope }, opened) => openByAnalyst(services, scope, opened),
  "admin/incidents/tell": async (services, { scope }, told) => ({ message: await tellIncident(services, scope, told) }),
  "admin/incidents/merge": async (services, { scope }, merged) => ({
    message: await mergeIncident(services, scope, merged),
  }),
  "admin/incidents/attach": async (services, { scope }, file) => ({ message: await attachFile(services, scope, file) }),
  "admin/incidents/file": (services, { scope }, asked) => openFile(services, scope, asked),
  "admin/incidents/telephone": async (services, { scope }, noted) => ({
    message: await noteTelephone(services, scope, noted),
  }),
  "admin/findings": async (services, { scope }, { email, ...query }) => {
    const customer = await reachCustomer(services.database, scope, email);
    const { about, ...found } = await listFindings(services, customer, query);
    return { about: { ...about, rules: await listRules(services, customer) }, ...found };
  },
  "admin/findings/decide": async (services, { scope }, decided) => ({
    message: await decideFindings(services, scope, decided),
  }),
  "admin/findings/suppress": async (services, { scope }, rule) => ({
    message: await suppressFindings(services, scope, rule),
  }),
  "admin/findings/end-rule": async (services, { scope }, { id }) => ({ message: await endRule(services, scope, id) }),
  "admin/service-levels": (services, { scope }) => listLevels(services, scope),
  "admin/service-levels/post": async (services, { scope }, levels) => ({
    message: await publishLevels(services, scope, levels),
  }),
} satisfies Partial<Handlers>;
