import { createServer as createHttp, type Server } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { certifiedServer } from "../../../tests/certified-server.ts";
import { openConnection } from "./connection.ts";
import { EngineFailure } from "./engine-failure.ts";
import { type AddressRules, resolveSafely } from "./safe-address.ts";

const operators: AddressRules = { allowPrivate: true };
const everybodys: AddressRules = { allowPrivate: false };

/** A resolver like the network's: its answer may differ each time. */
function resolver(...answers: string[][]) {
  let asked = 0;
  return {
    resolve: async () => {
      const answer = answers[Math.min(asked++, answers.length - 1)] ?? [];
      return answer.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
    asked: () => asked,
  };
}

async function refusalOf(address: string, rules: AddressRules, ...resolved: string[]): Promise<string | null> {
  try {
    await resolveSafely(new URL(address), rules, resolver(resolved).resolve);
    return null;
  } catch (error) {
    return error instanceof EngineFailure ? error.problem : String(error);
  }
}

describe("An engine's address", () => {
  it.each([
    ["10.0.0.5"],
    ["172.16.3.4"],
    ["192.168.1.1"],
    ["100.64.0.1"],
    ["127.0.0.1"],
    ["::1"],
    ["fd12:3456::1"],
    ["::ffff:10.0.0.5"],
  ])("that leads to %s, in a private network, is for operators who allow it", async (address) => {
    expect(await refusalOf("https://wazuh.example", everybodys, address)).toBe("address");
    expect(await refusalOf("https://wazuh.example", operators, address)).toBeNull();
  });

  it.each([
    ["169.254.169.254"],
    ["169.254.1.1"],
    ["fe80::1"],
    ["fd00:ec2::254"],
    ["fd20:ce::254"],
    ["100.100.100.200"],
    ["168.63.129.16"],
    ["::ffff:169.254.169.254"],
    ["64:ff9b::a9fe:a9fe"],
    ["2002:a9fe:a9fe::"],
    ["0.0.0.0"],
    ["::"],
    ["224.0.0.1"],
    ["255.255.255.255"],
  ])("that leads to %s is for nobody", async (address) => {
    expect(await refusalOf("https://wazuh.example", everybodys, address)).toBe("address");
    expect(await refusalOf("https://wazuh.example", operators, address)).toBe("address");
  });

  it.each([
    ["https://169.254.169.254/latest"],
    ["https://[::ffff:169.254.169.254]/"],
    ["https://[fd00:ec2::254]/"],
    ["https://2852039166/"],
    ["https://0xA9FEA9FE/"],
    ["https://0251.0376.0251.0376/"],
  ])("that is written as %s is seen for what it is", async (address) => {
    expect(await refusalOf(address, operators)).toBe("address");
  });

  it("in the open net is taken, and refused where but one of its addresses is not", async () => {
    expect(await refusalOf("https://wazuh.example", everybodys, "203.0.114.7")).toBeNull();
    expect(await refusalOf("https://wazuh.example", everybodys, "203.0.114.7", "10.0.0.5")).toBe("address");
  });

  it("begins with https, unless the operator allows what is private", async () => {
    expect(await refusalOf("http://wazuh.example", everybodys, "203.0.114.7")).toBe("address");
    expect(await refusalOf("http://wazuh.example", operators, "10.0.0.5")).toBeNull();
    expect(await refusalOf("file:///etc/passwd", operators)).toBe("address");
  });

  it("without a name in the DNS is out of reach", async () => {
    expect(await refusalOf("https://wazuh.example", operators)).toBe("unreachable");
  });
});

const limits = {
  answerMs: 3000,
  answerBytesMax: 100_000,
  standIn: () => null,
  stopping: new AbortController().signal,
};

async function listen(server: Server): Promise<number> {
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("A connection", () => {
  it("goes to the address that was checked, whatever the name means a moment later", async () => {
    const hosts: (string | undefined)[] = [];
    const port = await listen(
      createHttp((request, response) => {
        hosts.push(request.headers.host);
        response.end("{}");
      }),
    );
    // The second answer would be another machine's.
    const { resolve, asked } = resolver(["127.0.0.1"], ["169.254.169.254"]);
    const connection = openConnection({ ...limits, rules: operators, resolve }, null);
    onTestFinished(() => connection.close());
    const outgoing = { method: "GET" as const, url: new URL(`http://wazuh.example:${port}/`), headers: {} };
    expect((await connection.send(outgoing)).status).toBe(200);
    expect([asked(), hosts]).toEqual([1, [`wazuh.example:${port}`]]);
    // Resolved anew for each call, and refused although a connection is open.
    await expect(connection.send(outgoing)).rejects.toMatchObject({ problem: "address" });
    expect([asked(), hosts.length]).toEqual([2, 1]);
  });

  it("gives nothing to where a redirect leads", async () => {
    let reached = false;
    const inside = await listen(createHttp((_request, response) => response.end(String((reached = true)))));
    const port = await listen(
      createHttp((_request, response) => response.writeHead(302, { Location: `http://127.0.0.1:${inside}/` }).end()),
    );
    const connection = openConnection({ ...limits, rules: operators, resolve: resolver([]).resolve }, null);
    onTestFinished(() => connection.close());
    const { status } = await connection.send({ method: "GET", url: new URL(`http://127.0.0.1:${port}/`), headers: {} });
    expect([status, reached]).toEqual([302, false]);
  });

  it("trusts the authority of the binding alone, and only for the name on the certificate", async () => {
    const { key, certificate, authority } = await certifiedServer("wazuh.example");
    const names: (string | false | null)[] = [];
    const server = createHttps({ key, cert: certificate }, (_request, response) => response.end("{}"));
    server.on("secureConnection", (socket) => names.push(socket.servername));
    const port = await listen(server);
    const ask = async (host: string, ca: string | null) => {
      const { resolve } = resolver(["127.0.0.1"]);
      const connection = openConnection({ ...limits, rules: operators, resolve }, ca);
      onTestFinished(() => connection.close());
      const url = new URL(`https://${host}:${port}/`);
      return connection.send({ method: "GET", url, headers: {} }).then(
        ({ status }) => status,
        (error: EngineFailure) => [error.problem, error.message],
      );
    };
    expect(await ask("wazuh.example", authority)).toBe(200);
    expect(names.at(-1)).toBe("wazuh.example");
    expect(await ask("wazuh.example", null)).toEqual([
      "certificate",
      expect.stringContaining("vouched for by nobody known"),
    ]);
    expect(await ask("other.example", authority)).toEqual(["certificate", expect.stringContaining("another name")]);
    const stranger = await certifiedServer("wazuh.example");
    expect(await ask("wazuh.example", stranger.authority)).toMatchObject(["certificate", expect.any(String)]);
  });

  it("tells of a port without TLS, and of one without anything", async () => {
    const port = await listen(createHttp((_request, response) => response.end("{}")));
    const connection = openConnection({ ...limits, rules: operators, resolve: resolver([]).resolve }, null);
    onTestFinished(() => connection.close());
    const ask = (address: string) => connection.send({ method: "GET", url: new URL(address), headers: {} });
    await expect(ask(`https://127.0.0.1:${port}/`)).rejects.toMatchObject({ problem: "certificate" });
    await expect(ask("https://127.0.0.1:1/")).rejects.toMatchObject({ problem: "unreachable" });
  });
});
