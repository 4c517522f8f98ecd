import { describe, expect, it } from "vitest";
import type { PaymentIntent } from "./gateway.ts";
import { commandHash, isAuthentic, reverseHash, signRequest } from "./payu-hash.ts";
import { payuGateway, shortened } from "./payu.ts";

// A test vector from PayU's documentation.
const keys = { key: "C0Dr8m", salt: "3sf0jURk" };
const fields = {
  txnid: "12345",
  amount: "10",
  productinfo: "Shopping",
  firstname: "Test",
  email: "test@test.com",
  udf2: "abc",
  udf4: "15",
};
const requestHash =
  "ffcdbf04fa5beefdcc2dd476c18bc410f02b3968e7f4f54e8f43f1e1a310bb32e3b4dec9305232bb89db5b1d0c009a53bcace6f4bd8ec2f695baf3d43ba730ce";
const successHash =
  "012af4d4cc8a3d93ef15ff56da20f74ac9f3f3d713f7d34fba17ff606793eda269b807ef06dd5c9267ed3113d0cc1050dd2ebc2079cad68e03215c2593c61d4f";

const gateway = payuGateway({ ...keys, payUrl: "https://test.payu.in/_payment", apiUrl: "https://test.payu.in/api" });
const answer = { ...fields, key: keys.key, status: "success", mihpayid: "403993715531", hash: successHash };

const webhook = (body: string, type: string) => gateway.parseWebhook(body, new Headers({ "content-type": type }));
const asForm = (given: Record<string, string>) =>
  webhook(new URLSearchParams(given).toString(), "application/x-www-form-urlencoded");
const asJson = (given: object) => webhook(JSON.stringify(given), "application/json; charset=utf-8");

describe("PayU's hashes", () => {
  it("of a request is the published one", () => {
    expect(signRequest(keys, fields)).toEqual({ ...fields, key: keys.key, hash: requestHash });
  });
  it("of an answer is the published one", () => {
    expect(reverseHash(keys.salt, { ...fields, key: keys.key, status: "success" })).toBe(successHash);
  });
  it("of an answer with charges counts them in, in either spelling", () => {
    const charged = { ...fields, key: keys.key, status: "success" };
    const one = reverseHash(keys.salt, { ...charged, additional_charges: "5.00" });
    expect(one).toBe(reverseHash(keys.salt, { ...charged, additionalCharges: "5.00" }));
    expect(one).not.toBe(successHash);
  });
  it("of a command depends on key, command, first variable and salt", () => {
    const hashes = [
      commandHash(keys, "verify_payment", "12345"),
      commandHash(keys, "verify_payment", "12346"),
      commandHash(keys, "cancel_refund_transaction", "12345"),
      commandHash({ ...keys, salt: "other" }, "verify_payment", "12345"),
    ];
    expect(new Set(hashes).size).toBe(4);
    expect(hashes[0]).toMatch(/^[\da-f]{128}$/);
  });
});

describe("a request to PayU", () => {
  const intent: PaymentIntent = {
    reference: "A1",
    amountPaise: 1000,
    description: "Prahari SOC subscription",
    name: "Asha Rao",
    email: "e@e.in",
    phone: "+919876543210",
    returnUrl: "https://a.in/r",
  };
  const sent = (over: Partial<PaymentIntent> = {}) => gateway.initiate({ ...intent, ...over }).fields;
  const isSigned = ({ key: _key, hash, ...posted }: Record<string, string>) =>
    signRequest(keys, posted)["hash"] === hash;

  it.each([
    ["a separator in a hashed field", { ...fields, firstname: "A|B" }],
    ["an e-mail that is too long", { ...fields, email: `${"a".repeat(45)}@b.example` }],
    ["a reference that is too long", { ...fields, txnid: "1".repeat(26) }],
    ["a description that is too long", { ...fields, productinfo: "x".repeat(101) }],
    ["a field of ours that is too long", { ...fields, udf1: "x".repeat(256) }],
  ])("is refused for %s", (_case, wrong) => {
    expect(() => signRequest(keys, wrong)).toThrow(/PayU.s field/);
  });
  it("carries the amount in rupees with two decimals, as it is hashed", () => {
    expect(sent()["amount"]).toBe("10.00");
    expect(isSigned(sent())).toBe(true);
  });
  it.each([
    ["+919876543210", "9876543210"],
    ["+14155550123", "14155550123"],
    ["+97145550100", "97145550100"],
    ["+9118001234", "9118001234"],
  ])("carries the phone %s as the digits %s", (phone, digits) => {
    expect(sent({ phone })["phone"]).toBe(digits);
  });
  it.each([
    ["Asha Rao", "Asha Rao"],
    [`${"a".repeat(60)} ${"b".repeat(60)}`, "a".repeat(60)],
    [`${"a".repeat(30)} ${"b".repeat(29)} c`, `${"a".repeat(30)} ${"b".repeat(29)}`],
    ["a".repeat(61), "a".repeat(60)],
    [`${"क".repeat(60)} ${"र".repeat(60)}`, "क".repeat(60)],
    ["नि".repeat(31), "नि".repeat(30)],
    [`a${"👩‍👩‍👧".repeat(10)}`, `a${"👩‍👩‍👧".repeat(7)}`],
    ["😀".repeat(31), "😀".repeat(30)],
    [`e${"\u0301".repeat(80)}`, `e${"\u0301".repeat(59)}`],
  ])("fits the name %j to 60 characters, as it is hashed", (name, firstname) => {
    const form = sent({ name });
    expect(form["firstname"]).toBe(firstname);
    expect(isSigned(form)).toBe(true);
  });
  it("fits the description to 100 characters, and never an e-mail to 50", () => {
    expect(sent({ description: `${"word ".repeat(20)}Q-000026` })["productinfo"]).toBe("word ".repeat(20).trim());
    expect(() => sent({ email: `${"a".repeat(45)}@b.example` })).toThrow("email");
  });
  it("leaves no half of a character behind, whatever is shortened", () => {
    for (let length = 1; length <= 12; length++) expect(shortened("क्षि😀é 👩‍👩‍👧", length).isWellFormed()).toBe(true);
  });
});

describe("a message from PayU", () => {
  it("is authentic with the published hash, and says what was signed", () => {
    expect(gateway.parseReturn(answer)).toMatchObject({
      about: "payment",
      authentic: true,
      says: "success",
      reference: "12345",
    });
  });
  it.each(["status", "amount", "txnid", "email", "productinfo", "firstname", "udf2", "key", "hash"])(
    "is forged when its %s was changed",
    (name) => {
      expect(gateway.parseReturn({ ...answer, [name]: "1" }).authentic).toBe(false);
    },
  );
  it.each(["", "z".repeat(128), successHash.slice(1)])("is forged with the hash %j", (hash) => {
    expect(gateway.parseReturn({ ...answer, hash }).authentic).toBe(false);
  });
  it("is forged when it is empty, and when its reference can be none of ours", () => {
    expect(gateway.parseReturn({}).authentic).toBe(false);
    for (const txnid of ["", "A\0", "A B", "A".repeat(26)]) {
      const signed = { ...answer, txnid, hash: reverseHash(keys.salt, { ...answer, txnid }) };
      expect([isAuthentic(keys, signed), gateway.parseReturn(signed).authentic]).toEqual([true, false]);
    }
  });
  it("is read from a form and from JSON alike", () => {
    expect(asJson(answer)).toEqual(asForm(answer));
    expect(asForm(answer)).toMatchObject({ about: "payment", authentic: true });
  });
  it.each([
    ["a number", 10, "10.00"],
    ["a number with one decimal", 10.5, "10.50"],
    ["text", "10.00", "10.00"],
  ])("whose amount is %s in JSON is authentic under the hash of two decimals", (_case, amount, hashed) => {
    const hash = reverseHash(keys.salt, { ...answer, amount: hashed });
    const given = { ...answer, amount, hash, udf1: null, mihpayid: 403993715, split: { a: 1 }, list: [1], flag: true };
    expect(asJson(given)).toMatchObject({ authentic: true, raw: { amount: hashed, mihpayid: "403993715" } });
  });
  it("keeps the digits of a JSON number that no number keeps", () => {
    const body = JSON.stringify({ ...answer, mihpayid: 0 }).replace('"mihpayid":0', '"mihpayid":403993715521889531');
    expect(webhook(body, "application/json")).toMatchObject({ raw: { mihpayid: "403993715521889531" } });
  });
  it.each([
    ["", "JSON"],
    ["{", "JSON"],
    ["[]", "record"],
    ["null", "record"],
    ["7", "record"],
    ['"text"', "record"],
  ])("of JSON that is no message, %j, can't be read", (body, why) => {
    expect(() => webhook(body, "application/json")).toThrow(why);
  });
  it.each([
    ["success", "success"],
    ["Success", "success"],
    ["failure", "failure"],
    ["failed", "failure"],
    ["pending", "pending"],
    ["odd", "nothing"],
    ["constructor", "nothing"],
  ])("with the status %s says %s, whatever its unsigned fields say", (status, says) => {
    for (const unmappedstatus of ["captured", "auth", "failed", ""])
      expect(gateway.parseReturn({ ...answer, status, unmappedstatus }).says).toBe(says);
  });
  it("keeps no field that is long, unknown or not in its form", () => {
    const odd = {
      mihpayid: '=HYPERLINK("https://evil.example")<img src=x>',
      mode: "x".repeat(30_000),
      bank_ref_num: "a\0b",
      unmappedstatus: "<script>",
      error_Message: "x\u202Ey",
      error: "",
      cardnum: "512345XXXXXX2346",
      __proto__: "1",
      ...Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, "1"])),
    };
    const { raw, eventKey, authentic } = gateway.parseReturn({ ...answer, ...odd });
    expect(authentic).toBe(true);
    expect(raw).toEqual({ txnid: "12345", status: "success", amount: "10" });
    expect(eventKey.length).toBeLessThan(300);
  });
});

describe("a message about money that goes back", () => {
  const refund = {
    action: "refund",
    key: keys.key,
    merchantTxnId: "P1",
    mihpayid: " 17025521702 ",
    request_id: 11865427756,
    amt: "149.00",
    status: "success",
    bank_arn: 308239782136,
    remark: null,
  };
  it("has no hash: it names what to ask about, and nothing that could be believed", () => {
    expect(asJson(refund)).toEqual({
      about: "refund",
      reference: "P1",
      eventKey: expect.stringContaining("refund:P1:11865427756"),
      raw: { merchantTxnId: "P1", request_id: "11865427756", amt: "149.00", status: "success" },
    });
    expect(asForm({ action: "refund", merchantTxnId: "P1" })).toMatchObject({ about: "refund", reference: "P1" });
  });
  it("may be a dispute", () => {
    const dispute = { type: "payments", event: "dispute", cb_id: 1761758, txn_id: "P1", cb_amount: "1.0" };
    expect(asJson(dispute)).toMatchObject({ about: "dispute", reference: "P1", raw: { cb_id: "1761758" } });
  });
  it("that comes with a hash is a payment's, and is forged when that is wrong", () => {
    expect(asJson({ ...refund, hash: "0" })).toMatchObject({ about: "payment", authentic: false });
  });
});
