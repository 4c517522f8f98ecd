/* oxlint-disable no-console -- a command's output */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { captionsOf, type Scene } from "../app/content/captions.ts";
import { launchBrowser } from "../tests/browser.ts";

/**
 * Records public/demo/ from a running demo: `npm start`, then `node scripts/record-demo.ts [address]`. Takes
 * ffmpeg from the machine. What is seen are the real screens with the demo's sample data. Captions, transcript and length
 * (app/content/demo-video.json) are written with it: watch the video, and see that they say what is seen.
 */

const address = process.argv[2] ?? "http://localhost:3000";
const size = { width: 1280, height: 720 };
const framesPerSecond = 20;
const folder = mkdtempSync(join(tmpdir(), "prahari-demo-"));
const target = "public/demo";
const scenes: Scene[] = [];

const browser = await launchBrowser();
const context = await browser.newContext({ viewport: size, colorScheme: "light" });
const page = await context.newPage();
await page.addInitScript(showPointer);
const frames = await startCapture(page);
await tellTheStory(page).catch(async (error: unknown) => {
  await page.screenshot({ path: join(tmpdir(), "prahari-demo-failed.png") });
  throw error;
});
await frames.stop();
await browser.close();
encode(frames.list);
rmSync(folder, { recursive: true });

async function tellTheStory(page: Page): Promise<void> {
  await page.goto(`${address}/`, { waitUntil: "networkidle" });
  scene("The home page says what the service is. Get Quote is pressed.");
  await pause(1800);
  await click(page, page.getByRole("navigation", { name: "Quick actions" }).getByRole("link", { name: "Get Quote" }));
  await page.getByRole("heading", { level: 1 }).waitFor();
  scene("In the estimator 24 production servers, 6 hypervisors and 8 web servers are counted. The price follows.");
  await page.waitForLoadState("networkidle");
  await pause(900);
  for (const [device, number] of [
    ["Prod Server", "24"],
    ["Hypervisor", "6"],
    ["Web Servers", "8"],
  ] as const) {
    const box = page.getByRole("spinbutton", { name: device, exact: true });
    await click(page, box);
    await box.pressSequentially(number, { delay: 140 });
    await pause(700);
  }
  await pause(900);
  scene(
    "Asha Rao of Sample Textiles fills in the form: name, e-mail, organisation, phone, number of users and a message.",
  );
  const fields = [
    ["Name", "Asha Rao"],
    ["Email", "asha@demo.example"],
    ["Organization name", "Sample Textiles"],
  ] as const;
  for (const [label, text] of fields) await type(page, page.getByRole("textbox", { name: label, exact: true }), text);
  await type(page, page.getByRole("textbox", { name: "Phone number" }), "8000000100");
  await type(page, page.getByLabel("Number of users"), "140");
  await type(page, page.getByLabel("Message"), "Two plants and a head office.");
  scene("She sends her estimate. The page says that it was sent to her e-mail.");
  await click(page, page.getByRole("button", { name: "Send my estimate" }));
  await page.getByText("Estimate sent to your email successfully!").first().waitFor();
  await pause(1800);

  await click(page, page.getByRole("banner").getByRole("link", { name: "Login" }));
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  scene("She signs in with her e-mail and password.");
  await type(page, page.getByLabel("Email"), "asha@demo.example");
  await type(page, page.getByLabel("Password", { exact: true }), "sentinel demo 2026");
  await click(page, page.getByRole("button", { name: "Login" }));
  await page.getByRole("heading", { name: "Verify OTP" }).waitFor();
  scene("She types the 6-digit code that was mailed to her.");
  await pause(600);
  await page.getByLabel("6-digit code").pressSequentially(await mailedCode(), { delay: 160 });
  await click(page, page.getByRole("button", { name: "Verify OTP" }));
  await page.waitForURL("**/user/dashboard");
  scene("Her dashboard has a tile for the SIEM and one for the SOAR.");
  await pause(1500);
  await click(page, page.getByRole("link", { name: "My Quotes" }));
  scene("In My Quotes she presses Buy Now beside a quote.");
  await page.getByRole("button", { name: "Buy Now" }).first().waitFor();
  await pause(1600);
  await click(page, page.getByRole("button", { name: "Buy Now" }).first());
  await page.getByRole("button", { name: /^Pay ₹/ }).waitFor();
  scene("A panel shows the total. She presses Pay.");
  await pause(1300);
  await click(page, page.getByRole("button", { name: /^Pay ₹/ }));
  await page.getByRole("heading", { name: /^Pay ₹/ }).waitFor();
  scene("On the trial payment page, where no money moves, she lets the payment succeed.");
  await pause(1400);
  await click(page, page.getByRole("button", { name: "Pay", exact: true }));
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
  scene("Payment received. The page names the order and leads to the invoice.");
  await pause(2200);
  await click(page, page.getByRole("link", { name: "Order History" }).first());
  scene("She opens her order history.");
  await page.getByRole("cell", { name: "Success" }).first().waitFor();
  await pause(2400);
}

/** What is seen from now on; the screencast counts in the same seconds. */
function scene(text: string): void {
  scenes.push({ from: Date.now() / 1000, text });
}

type Target = ReturnType<Page["getByRole"]>;

async function click(page: Page, target: Target): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 18 });
  await pause(180);
  await target.click();
}

async function type(page: Page, target: Target, text: string): Promise<void> {
  await click(page, target);
  await target.pressSequentially(text, { delay: 28 });
}

async function mailedCode(): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const mailbox = await (await fetch(`${address}/dev/mail`)).text();
    const code = /\b(\d{6})\b[^<]*sign-in code|sign-in code[^<]*?\b(\d{6})\b/i.exec(mailbox);
    if (code) return code[1] ?? code[2] ?? "";
    await pause(200);
  }
  throw new Error("No code arrived in the demo mailbox");
}

/** Frames as the browser paints them, each with the time it was painted at. */
async function startCapture(page: Page) {
  const client = await page.context().newCDPSession(page);
  const list: { file: string; seconds: number }[] = [];
  client.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(list.length).padStart(5, "0")}.jpg`);
    writeFileSync(file, Buffer.from(data, "base64"));
    list.push({ file, seconds: metadata.timestamp ?? 0 });
    void client.send("Page.screencastFrameAck", { sessionId });
  });
  await client.send("Page.startScreencast", { format: "jpeg", quality: 92, everyNthFrame: 1 });
  return { list, stop: () => client.send("Page.stopScreencast") };
}

function encode(list: { file: string; seconds: number }[]): void {
  const durations = list.map(({ seconds }, index) => (list[index + 1]?.seconds ?? seconds + 1) - seconds);
  const script = list.map(({ file }, index) => `file '${file}'\nduration ${durations[index]?.toFixed(3)}`).join("\n");
  writeFileSync(join(folder, "frames.txt"), script);
  mkdirSync(target, { recursive: true });
  const source = ["-y", "-v", "error", "-f", "concat", "-safe", "0", "-i", join(folder, "frames.txt")];
  const picture = ["-vf", `fps=${framesPerSecond},scale=${size.width}:${size.height}`, "-pix_fmt", "yuv420p", "-an"];
  const webm = ["-c:v", "libvpx-vp9", "-crf", "40", "-b:v", "0", "-row-mt", "1"];
  const mp4 = ["-c:v", "libx264", "-crf", "30", "-preset", "veryslow", "-movflags", "+faststart"];
  run("ffmpeg", [...source, ...picture, ...webm, join(target, "prahari.webm")]);
  run("ffmpeg", [...source, ...picture, ...mp4, join(target, "prahari.mp4")]);
  writeCaptions(
    list[0]?.seconds ?? 0,
    durations.reduce((sum, seconds) => sum + seconds, 0),
  );
  // A third of the way in stands the estimator with its price.
  const telling = list[Math.floor(list.length / 3)]?.file ?? "";
  const still = ["-y", "-v", "error", "-i", telling, "-vf", "scale=1280:720", "-quality", "70"];
  run("ffmpeg", [...still, join(target, "poster.webp")]);
  for (const name of ["prahari.webm", "prahari.mp4", "poster.webp"])
    console.log(`${name}: ${Math.round(statSync(join(target, name)).size / 1024)} kB`);
}

function writeCaptions(start: number, length: number): void {
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
  const shown = scenes.map(({ from, text }, index) => ({ from: index === 0 ? 0 : tenths(from - start), text }));
  const video = { seconds: Math.round(length * 100) / 100, scenes: shown };
  writeFileSync("app/content/demo-video.json", `${JSON.stringify(video, null, 2)}\n`);
  writeFileSync(join(target, "captions.vtt"), captionsOf(video));
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${command} failed`);
}

/** Runs in the page: a screencast shows no pointer, so one is drawn. */
function showPointer(): void {
  addEventListener("DOMContentLoaded", () => {
    const pointer = document.createElement("div");
    Object.assign(pointer.style, {
      position: "fixed",
      zIndex: "9999",
      width: "18px",
      height: "18px",
      margin: "-9px",
      borderRadius: "50%",
      background: "rgb(29 91 196 / 45%)",
      border: "2px solid white",
      pointerEvents: "none",
      transition: "transform 120ms",
    });
    document.documentElement.append(pointer);
    addEventListener("pointermove", ({ clientX, clientY }) => {
      pointer.style.left = `${clientX}px`;
      pointer.style.top = `${clientY}px`;
    });
    addEventListener("pointerdown", () => (pointer.style.transform = "scale(0.7)"));
    addEventListener("pointerup", () => (pointer.style.transform = ""));
  });
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}
