/* oxlint-disable no-console -- a command's output */
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { captionsOf, type Scene } from "../app/content/captions.ts";
import { launchBrowser } from "../tests/launch-browser.ts";
import { showPointer } from "./shown-pointer.ts";
import { videoClock } from "./video-clock.ts";

/**
 * Records public/demo/ from a running demo: `npm start`, then `npx node scripts/record-demo.ts [address]`. Needs ffmpeg
 * on the machine. The video shows the real screens with the demo's sample data. Captions, transcript and length
 * (app/content/demo-video.json) are written with it: watch the video and check that they match it.
 */

const address = process.argv[2] ?? "http://localhost:3000";
const size = { width: 1280, height: 720 };
const framesPerSecond = 20;
const folder = mkdtempSync(join(tmpdir(), "prahari-demo-"));
const target = "public/demo";
const scenes: Scene[] = [];
const clock = videoClock(Date.now);
let posterAt = 0;

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
clock.read();
await browser.close();
encode(frames.list);
rmSync(folder, { recursive: true });

async function tellTheStory(page: Page): Promise<void> {
  await page.goto(`${address}/`, { waitUntil: "networkidle" });
  scene("The home page says what the service is. Get Quote is pressed.");
  await pause(1800);
  await click(page, page.getByRole("navigation", { name: "Quick actions" }).getByRole("link", { name: "Get Quote" }));
  await page.getByRole("heading", { name: "What should we watch for you?" }).waitFor();
  scene("In the estimator 24 production servers, 6 hypervisors and 8 web servers are counted.");
  await page.waitForLoadState("networkidle");
  await pause(900);
  for (const [device, number] of [
    ["Prod Server", "24"],
    ["Hypervisor", "6"],
    ["Web Servers", "8"],
  ] as const) {
    const box = page.getByRole("spinbutton", { name: device, exact: true });
    await click(page, box);
    await press(box, number, 140);
    await pause(700);
  }
  await page.waitForLoadState("networkidle");
  const price = await page.getByRole("region", { name: "Selected devices" }).innerText();
  scene(`The price follows: ${found(/₹[\d,.]+$/m, price.slice(price.indexOf("Total a year")))} a year, with GST.`);
  posterAt = clock.read(0) + 1;
  await pause(1900);
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
  scene("She sends her estimate.");
  await click(page, page.getByRole("button", { name: "Send my estimate" }));
  const heading = page.getByRole("heading", { name: "Your estimate has the number" });
  await heading.waitFor();
  const number = found(/Q-\d+/, await heading.innerText());
  scene(`It has a number at once, ${number}, beside its proposal and what comes next.`);
  await page.getByText("It is ready.").waitFor();
  await pause(2200);
  await signIn(page);
  await buy(page, number);
}

async function signIn(page: Page): Promise<void> {
  await click(page, page.getByRole("link", { name: "Sign in", exact: true }));
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  scene("She has an account, and signs in with her e-mail and password.");
  const [before] = await mailedCodes();
  await type(page, page.getByLabel("Email"), "asha@demo.example");
  await type(page, page.getByLabel("Password", { exact: true }), "sentinel demo 2026");
  await click(page, page.getByRole("button", { name: "Login" }));
  await page.getByLabel("6-digit code").waitFor();
  scene("She types the 6-digit code that was mailed to her.");
  await pause(600);
  await press(page.getByLabel("6-digit code"), await nextCode(before), 160);
  await click(page, page.getByRole("button", { name: "Verify OTP" }));
}

async function buy(page: Page, number: string): Promise<void> {
  const quote = page.getByRole("row").filter({ hasText: number });
  await quote.getByRole("button", { name: "Buy Now" }).waitFor();
  scene(`My Quotes opens, ${number} on top. She presses Buy Now beside it.`);
  await pause(2200);
  await click(page, quote.getByRole("button", { name: "Buy Now" }));
  const pay = page.getByRole("button", { name: /^Pay ₹/ });
  await pay.waitFor();
  scene(`A panel shows the total, ${found(/₹[\d,.]+/, await pay.innerText())}. She presses Pay.`);
  await pause(1800);
  await click(page, pay);
  await page.getByRole("heading", { name: /^Pay ₹/ }).waitFor();
  scene("On the trial payment page, where no money moves, she lets the payment succeed.");
  await pause(2000);
  await click(page, page.getByRole("button", { name: "Pay", exact: true }));
  await page.getByRole("heading", { name: "Payment received" }).waitFor();
  scene("Payment received. The page names the order and leads to the invoice.");
  await pause(2600);
  await click(page, page.getByRole("link", { name: "Order History" }).first());
  await page.getByRole("cell", { name: "Success" }).first().waitFor();
  scene("The order stands in her order history.");
  await pause(2600);
}

/** The caption from now on. */
function scene(text: string): void {
  scenes.push({ from: clock.read(), text });
}

type Target = ReturnType<Page["getByRole"]>;

async function click(page: Page, target: Target): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box) await takes(350, () => page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 18 }));
  await pause(180);
  await target.click();
}

async function type(page: Page, target: Target, text: string): Promise<void> {
  await click(page, target);
  await press(target, text, 28);
}

function press(target: Target, text: string, delay: number): Promise<void> {
  return takes(text.length * (delay + 12), () => target.pressSequentially(text, { delay }));
}

function pause(milliseconds: number): Promise<void> {
  return takes(milliseconds, () => new Promise((done) => setTimeout(done, milliseconds)));
}

/** Shows an act for at most this long: a busy machine records the same video as an idle one. */
async function takes(milliseconds: number, act: () => Promise<void>): Promise<void> {
  clock.read();
  await act();
  clock.read(milliseconds / 1000);
}

/** The sign-in codes in the demo's mailbox, newest first. */
async function mailedCodes(): Promise<string[]> {
  const mailbox = await (await fetch(`${address}/dev/mail`)).text();
  return [...mailbox.matchAll(/<code[^>]*>(\d{6})</g)].map(([, code]) => code ?? "");
}

async function nextCode(before: string | undefined): Promise<string> {
  for (let tries = 0; tries < 50; tries++) {
    const [code] = await mailedCodes();
    if (code !== undefined && code !== before) return code;
    await pause(200);
  }
  throw new Error("No code arrived in the demo mailbox");
}

function found(pattern: RegExp, text: string): string {
  const [first] = pattern.exec(text) ?? [];
  if (first === undefined) throw new Error(`${pattern} is not in: ${text}`);
  return first;
}

interface Frame {
  file: string;
  seconds: number;
}

/** Frames as the browser paints them, each with its time of painting. */
async function startCapture(page: Page) {
  const client = await page.context().newCDPSession(page);
  const list: Frame[] = [];
  client.on("Page.screencastFrame", ({ data, metadata, sessionId }) => {
    const file = join(folder, `${String(list.length).padStart(5, "0")}.jpg`);
    writeFileSync(file, Buffer.from(data, "base64"));
    list.push({ file, seconds: metadata.timestamp ?? 0 });
    void client.send("Page.screencastFrameAck", { sessionId });
  });
  await client.send("Page.startScreencast", { format: "jpeg", quality: 92, everyNthFrame: 1 });
  return { list, stop: () => client.send("Page.stopScreencast") };
}

function encode(painted: Frame[]): void {
  const frames = painted.map(({ file, seconds }) => ({ file, from: clock.shownAt(seconds) }));
  const fileAt = (seconds: number) => (frames.findLast(({ from }) => from <= seconds) ?? frames[0])?.file ?? "";
  const pictures = Math.round(clock.length() * framesPerSecond);
  for (let picture = 0; picture < pictures; picture++)
    linkSync(fileAt(picture / framesPerSecond), join(folder, `picture-${String(picture).padStart(5, "0")}.jpg`));
  mkdirSync(target, { recursive: true });
  const rate = ["-framerate", String(framesPerSecond)];
  const source = ["-y", "-v", "error", ...rate, "-i", join(folder, "picture-%05d.jpg")];
  const picture = ["-vf", `scale=${size.width}:${size.height}`, "-pix_fmt", "yuv420p", "-an"];
  const webm = ["-c:v", "libvpx-vp9", "-crf", "40", "-b:v", "0", "-row-mt", "1"];
  const mp4 = ["-c:v", "libx264", "-crf", "30", "-preset", "veryslow", "-movflags", "+faststart"];
  const still = ["-y", "-v", "error", "-i", fileAt(posterAt), "-vf", "scale=1280:720", "-quality", "70"];
  run("ffmpeg", [...still, join(target, "poster.webp")]);
  run("ffmpeg", [...source, ...picture, ...mp4, join(target, "prahari.mp4")]);
  run("ffmpeg", [...source, ...picture, ...webm, join(target, "prahari.webm")]);
  writeCaptions(pictures / framesPerSecond);
  for (const name of ["prahari.webm", "prahari.mp4", "poster.webp"])
    console.log(`${name}: ${Math.round(statSync(join(target, name)).size / 1024)} kB`);
}

function writeCaptions(seconds: number): void {
  const tenths = (seconds: number) => Math.round(seconds * 10) / 10;
  const shown = scenes.map(({ from, text }) => ({ from: tenths(from), text }));
  const video = { seconds: Math.round(seconds * 100) / 100, scenes: shown };
  writeFileSync("app/content/demo-video.json", `${JSON.stringify(video, null, 2)}\n`);
  writeFileSync(join(target, "captions.vtt"), captionsOf(video));
}

function run(command: string, args: string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  if (status !== 0) throw error ?? new Error(`${command} failed`);
}
