import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { smtpTransport } from "./smtp-transport.ts";

it("A mail server that never ends its answer is asked over one connection, however often its state is looked at", async () => {
  const sockets: Socket[] = [];
  const dripping = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.write("220 slow.example\r\n");
    socket.on("data", () => socket.write("250-"));
  });
  dripping.listen(0, "127.0.0.1");
  await once(dripping, "listening");
  const mail = smtpTransport(`smtp://127.0.0.1:${(dripping.address() as AddressInfo).port}`, "soc@prahari.example");
  const looks = [mail.check(), mail.check()];
  await expect.poll(() => sockets.length).toBe(1);
  looks.push(mail.check());
  for (const socket of sockets) socket.destroy();
  expect((await Promise.allSettled(looks)).map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
  expect(sockets).toHaveLength(1);
  // The next look asks anew.
  const again = mail.check();
  await expect.poll(() => sockets.length).toBe(2);
  sockets[1]?.destroy();
  await expect(again).rejects.toThrow(/closed/i);
  mail.close();
  dripping.close();
});
