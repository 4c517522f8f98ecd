import { parser } from "@prometheus-io/lezer-promql";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { CronJob } from "kubernetes-models/batch/v1/CronJob";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { PersistentVolumeClaim } from "kubernetes-models/v1/PersistentVolumeClaim";
import { Service } from "kubernetes-models/v1/Service";
import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import type { z } from "zod";
import nodeOptions from "../scripts/node-options.json" with { type: "json" };
import { Variables } from "../server/settings/variables.ts";
import { Alerts, Dashboard, Kustomization, Prometheus } from "./deploy-forms.ts";
import { startTestServer, type TestServer } from "./harness.ts";

const text = (file: string) => readFileSync(join("deploy", file), "utf8");
const yaml = (file: string): unknown => parse(text(file));
const unknown = (names: string[]) => names.filter((name) => !(name in Variables.shape));

const environment = Object.entries(nodeOptions.environment).map(([name, value]) => `${name}=${value}`);

/** Files for which no package has a schema, checked against the format that their program documents. */
const forms = {
  "kubernetes/kustomization.yaml": Kustomization,
  "prometheus/alerts.yaml": Alerts,
  "prometheus/prometheus.yaml": Prometheus,
  "grafana/prahari.json": Dashboard,
};
const kustomization = yaml("kubernetes/kustomization.yaml") as z.infer<typeof Kustomization>;
const manifests = kustomization.resources.map((file) => `kubernetes/${file}`);

describe("The files", () => {
  it("are all read here, so that none is shipped that nothing has looked at", () => {
    const linted = ["Dockerfile", "Dockerfile.dockerignore", "compose.yaml", "systemd/prahari.service"];
    const entries = readdirSync("deploy", { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    // The secrets of a trial, which stay on its machine.
    const shipped = files.map((file) => relative("deploy", file)).filter((file) => file !== ".env");
    expect(shipped.toSorted()).toEqual([...linted, ...Object.keys(forms), ...manifests].toSorted());
  });
  it.each(Object.entries(forms))("have the form that is documented: %s", (file, form) => {
    // JSON is valid YAML.
    expect(form.safeParse(yaml(file)).error?.issues ?? []).toEqual([]);
  });
});

describe("The image", () => {
  const file = text("Dockerfile");
  it("is described by a Dockerfile without faults", () => {
    expect(validate(file)).toEqual([]);
  });
  it("runs the server as `npm start` does, not as root, and tells whether it lives", () => {
    const command = JSON.stringify(["node_modules/.bin/node", ...nodeOptions.arguments, nodeOptions.program]);
    expect(file).toContain(`\nCMD ${command.replaceAll(",", ", ")}\n`);
    for (const setting of environment) expect(file).toMatch(new RegExp(`^ENV .*${setting}`, "m"));
    expect(file).toMatch(/^USER 10001:10001$/m);
    expect(file).toMatch(/^HEALTHCHECK .*\/healthz/m);
  });
  it("is made of what is in the repository, and of no machine's own builds and secrets", () => {
    const ignored = text("Dockerfile.dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    expect(ignored.filter((line) => !/^(\*\*\/)?[\w.*-]+$/.test(line))).toEqual([]);
    expect(ignored).toEqual(expect.arrayContaining([".git", "build", "data", "node_modules", "**/.env*"]));
    const copied = Array.from(file.matchAll(/^COPY (?!--from)(.+) \S+$/gm), ([, sources = ""]) =>
      sources.split(" "),
    ).flat();
    expect(copied.filter((source) => ignored.includes(source.split("/")[0] ?? ""))).toEqual([]);
    expect(copied).toContain("server");
  });
  it("is built by the version of Node that package.json names", () => {
    const { dependencies } = JSON.parse(readFileSync("package.json", "utf8")) as { dependencies: { node: string } };
    const builders = Array.from(file.matchAll(/^FROM node:(\d+)/gm), ([, major]) => major);
    expect(new Set(builders)).toEqual(new Set([dependencies.node.split(".")[0]]));
  });
});

interface ComposeService {
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
}

describe("The compose file", () => {
  it("has no faults", () => {
    const rules = { "require-quotes-in-ports": [2, { quoteType: "double" }] as [2, Record<string, unknown>] };
    const linter = new DCLinter({ rules, quiet: true, debug: false, exclude: [] });
    const results = linter.lintFiles(["deploy/compose.yaml"], false);
    expect(results.flatMap(({ messages }) => messages)).toEqual([]);
    expect(results).toHaveLength(1);
  });
  const { services } = yaml("compose.yaml") as { services: Record<string, ComposeService> };
  const { prahari = {}, ...others } = services;
  it("lets the product write into memory alone, as the image's own user, who is not root and gets no rights", () => {
    const [, user, group] = /^USER (\d+):(\d+)$/m.exec(text("Dockerfile")) ?? [];
    expect(prahari).toMatchObject({
      read_only: true,
      tmpfs: ["/tmp", `/data:uid=${user},gid=${group},mode=0700`],
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges:true"],
      init: true,
    });
    // Any of these would override the image's own.
    for (const key of ["user", "healthcheck", "privileged", "cap_add", "volumes"])
      expect(prahari).not.toHaveProperty(key);
  });
  it("waits for what the product needs to be well, and opens ports to this machine alone", () => {
    const waits = Object.entries(prahari.depends_on ?? {}).filter(
      ([, { condition }]) => condition === "service_healthy",
    );
    expect(waits.map(([name]) => name)).toEqual(["database", "storage"]);
    for (const [name] of waits) expect(others[name]?.healthcheck?.test[0]).toBe("CMD");
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports.filter((port) => !port.startsWith("127.0.0.1:"))).toEqual([]);
  });
  it("sets variables that there are, and keeps secrets out", () => {
    const { environment = {} } = prahari;
    expect(unknown(Object.keys(environment))).toEqual([]);
    for (const name of ["TOKEN_SECRET", "METRICS_TOKEN", "S3_SECRET_ACCESS_KEY"])
      expect(environment[name]).toMatch(/^\$\{\w+:[?-][^}]*\}$/);
  });
});

describe("The Kubernetes manifests", () => {
  const kinds = { Deployment, CronJob, PodDisruptionBudget, ConfigMap, Namespace, PersistentVolumeClaim, Service };
  it.each(manifests)("are of their kind's form, and say nothing that it does not know: %s", (file) => {
    const manifest = yaml(file) as { kind: keyof typeof kinds };
    const Kind = kinds[manifest.kind];
    expect(unknownFields(new Kind(manifest as never))).toEqual([]);
  });
  it("ask for life and readiness at the right addresses, bound what a pod takes, and let it write nowhere", () => {
    const { spec } = yaml("kubernetes/deployment.yaml") as NonNullable<ConstructorParameters<typeof Deployment>[0]>;
    const pod = spec?.template.spec;
    const [container] = pod?.containers ?? [];
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: "/healthz" } },
      readinessProbe: { httpGet: { path: "/readyz" } },
      resources: { limits: { cpu: expect.anything(), memory: expect.anything() } },
      envFrom: [{ configMapRef: { name: "prahari" } }, { secretRef: { name: "prahari" } }],
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      },
    });
    expect(pod?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } });
    const budget = yaml("kubernetes/pod-disruption-budget.yaml") as { spec: object };
    expect(budget.spec).toMatchObject({ minAvailable: 1, selector: spec?.selector });
    expect(spec?.replicas).toBeGreaterThan(1);
  });
  it("back up each day what the pods work on, into a volume and nowhere else", () => {
    const { spec } = yaml("kubernetes/backup.yaml") as NonNullable<ConstructorParameters<typeof CronJob>[0]>;
    const pod = spec?.jobTemplate.spec?.template.spec;
    const [container] = pod?.containers ?? [];
    expect(container).toMatchObject({
      image: "prahari",
      envFrom: [{ configMapRef: { name: "prahari" } }, { secretRef: { name: "prahari" } }],
      securityContext: { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
      volumeMounts: expect.arrayContaining([{ name: "backups", mountPath: "/backups" }]),
    });
    expect(container?.command?.join(" ")).toContain("build/product/backup.js");
    const claim = yaml("kubernetes/backup-volume.yaml") as { metadata: { name: string } };
    expect(pod?.volumes).toContainEqual({
      name: "backups",
      persistentVolumeClaim: { claimName: claim.metadata.name },
    });
  });
  describe("make room for a backup", () => {
    const manifest = parse(text("kubernetes/backup.yaml")) as NonNullable<ConstructorParameters<typeof CronJob>[0]>;
    const [shell = "", ...words] = manifest.spec?.jobTemplate.spec?.template.spec?.containers[0]?.command ?? [];
    /** The files that are left, of files this many days old, after `command` has made the backup. */
    const leftOf = (files: Record<string, number>, command: string) => {
      const folder = mkdtempSync(join(tmpdir(), "prahari-backups-"));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      for (const [name, days] of Object.entries(files)) {
        writeFileSync(join(folder, name), "");
        const at = Date.now() / 1000 - days * 86_400;
        utimesSync(join(folder, name), at, at);
      }
      const written = words.map((word) =>
        word.replaceAll("/backups", folder).replace("node_modules/.bin/node build/product/backup.js", command),
      );
      const { status, stderr } = spawnSync(shell, written, { encoding: "utf8" });
      return { status, stderr, left: readdirSync(folder).toSorted() };
    };
    const nights = { "prahari-2026-09-01T210000.tar.gz": 60, "prahari-2026-10-01T210000.tar.gz": 31 };

    it("by those that are older than 30 days, and what was broken off yesterday", () => {
      const { status, stderr, left } = leftOf(
        { ...nights, "prahari-2026-10-30T210000.tar.gz": 1, "prahari-x.unfinished": 2, "prahari-y.unfinished": 0 },
        "touch",
      );
      expect([status, stderr]).toEqual([0, ""]);
      expect(left.slice(0, 2)).toEqual(["prahari-2026-10-30T210000.tar.gz", expect.stringMatching(/tar\.gz$/)]);
      expect(left.slice(2)).toEqual(["prahari-y.unfinished"]);
    });
    it("but never by the newest, however many nights have failed", () => {
      expect(leftOf(nights, "false")).toEqual({
        status: 1,
        stderr: "",
        left: ["prahari-2026-10-01T210000.tar.gz"],
      });
    });
    it("where there is none yet", () => {
      const { status, stderr, left } = leftOf({ "lost+found": 100 }, "touch");
      expect([status, stderr, left.length]).toEqual([0, "", 2]);
    });
  });
  it("restore by a command that does nothing else: making room may delete the very backup that is wanted", () => {
    const guide = readFileSync("docs/operations.md", "utf8");
    const [, command = "null"] = /^# In restore\.yaml, .*\n#.*command: (\[.+\])$/m.exec(guide) ?? [];
    expect(parse(command)).toEqual(["node_modules/.bin/node", "build/product/restore.js", "/backups/FILE", "--force"]);
  });
  it("name each copy to Prometheus, at the port where it listens", () => {
    const { metadata, spec } = yaml("kubernetes/service-of-each.yaml") as {
      metadata: { name: string };
      spec: { clusterIP: string; ports: { port: number }[] };
    };
    const { namespace } = kustomization;
    expect(yaml("kubernetes/namespace.yaml")).toMatchObject({ metadata: { name: namespace } });
    const { scrape_configs: scrapes } = yaml("prometheus/prometheus.yaml") as z.infer<typeof Prometheus>;
    expect(spec.clusterIP).toBe("None");
    expect(scrapes[0]?.dns_sd_configs).toMatchObject([
      { names: [`${metadata.name}.${namespace}.svc.cluster.local`], port: spec.ports[0]?.port },
    ]);
  });
  it("give a stop more time than it takes, and set variables that there are", () => {
    const { data } = yaml("kubernetes/config-map.yaml") as { data: Record<string, string> };
    expect(unknown(Object.keys(data))).toEqual([]);
    const grace = /terminationGracePeriodSeconds: (\d+)/.exec(text("kubernetes/deployment.yaml"))?.[1];
    expect(Number(grace)).toBeGreaterThan(Number(data["STOP_DELAY_SECONDS"]) + 15);
  });
});

describe("The systemd unit", () => {
  const unit = text("systemd/prahari.service");
  const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
  it("runs the server as `npm start` does, and starts it again whenever it ends", () => {
    expect(unit).toContain(
      `ExecStart=/opt/prahari/node_modules/.bin/node ${nodeOptions.arguments.join(" ")} ${nodeOptions.program}\n`,
    );
    for (const setting of environment) expect(unit).toMatch(new RegExp(`^Environment=.*${setting}`, "m"));
    expect(unit).toMatch(/^Restart=always$/m);
  });
  it.skipIf(!hasSystemd)("is one that systemd takes, and calls safe", () => {
    const folder = mkdtempSync(join(tmpdir(), "prahari-unit-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "prahari.service");
    writeFileSync(path, unit.replaceAll("/opt/prahari", process.cwd()));
    const analyze = (...args: string[]) => spawnSync("systemd-analyze", [...args, path], { encoding: "utf8" });
    const verified = analyze("verify", "--man=no");
    expect([verified.status, verified.stdout + verified.stderr]).toEqual([0, ""]);
    expect(analyze("security", "--offline=true", "--threshold=25").status).toBe(0);
  });
});

describe("What watches", () => {
  let server: TestServer;
  let told: Set<string>;
  beforeAll(async () => {
    const metricsToken = randomBytes(32).toString("base64url");
    server = await startTestServer({ work: false, env: { metricsToken } });
    await server.publicToken();
    const answer = await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
    const lines = (await answer.text()).split("\n").filter((line) => /^[a-z]/.test(line));
    told = new Set(lines.map((line) => /^\w+/.exec(line)?.[0] ?? ""));
  });
  afterAll(() => server.stop());

  const alerts = yaml("prometheus/alerts.yaml") as z.infer<typeof Alerts>;
  const rules = alerts.groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(text("grafana/prahari.json")) as z.infer<typeof Dashboard>;
  const shown = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  const expressions = [...rules.map(({ expr }) => expr), ...shown];

  it("asks in PromQL without faults", () => {
    expect(expressions.filter((expression) => readPromql(expression) === null)).toEqual([]);
    expect(readPromql("rate(up[5m")).toBeNull();
  });
  it("names metrics only that /metrics tells, and all that are our own", () => {
    const named = new Set(expressions.flatMap((expression) => readPromql(expression) ?? []));
    // Prometheus adds this metric to each scrape itself.
    named.delete("up");
    expect([...named].filter((name) => !told.has(name))).toEqual([]);
    const own = [...told].filter((name) => name.startsWith("prahari_") && !name.endsWith("_duration_seconds_sum"));
    expect(own.filter((name) => !named.has(name))).toEqual([]);
  });
  it("tells of copies that are all gone: Prometheus then has no target, and so no word on a scrape", () => {
    const gone = rules.filter(({ expr }) => expr === 'absent(up{job="prahari"})');
    expect(gone).toMatchObject([{ for: "2m", labels: { severity: "critical" } }]);
  });
  it("gives each panel an id, and each alert a line in docs/operations.md", () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const guide = readFileSync("docs/operations.md", "utf8");
    expect(rules.map(({ alert }) => alert).filter((alert) => !guide.includes(`\`${alert}\``))).toEqual([]);
  });
});

/** The metrics in a PromQL expression; null if it is invalid. */
function readPromql(written: string): string[] | null {
  // Grafana replaces this with a duration.
  const expression = written.replaceAll("$__rate_interval", "5m");
  const names: string[] = [];
  let isSound = true;
  parser.parse(expression).iterate({
    enter(node) {
      if (node.type.isError) isSound = false;
      if (node.name === "VectorSelector") names.push(/^\w+/.exec(expression.slice(node.from, node.to))?.[0] ?? "");
    },
  });
  return isSound ? names : null;
}

/**
 * The fields of a manifest that its kind's schema never reads: the schema knows no such field, and ignores it.
 * @throws when a field that the schema knows is wrong
 */
function unknownFields(model: { validate(): void }): string[] {
  const seen = new Set<string>();
  const watched = (value: unknown, place: string): unknown => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get(target, field) {
        seen.add(`${place}/${String(field)}`);
        return watched(Reflect.get(target, field), `${place}/${String(field)}`);
      },
    });
  };
  Reflect.apply(model.validate, watched(model, ""), []);
  return fieldsOf(model, "").filter((place) => !seen.has(place));
}

const fieldsOf = (value: unknown, place: string): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([field, held]) => [`${place}/${field}`, ...fieldsOf(held, `${place}/${field}`)])
    : [];
