import { describe, expect, it } from "vitest";
import { commandHash, payuGateway, reverseHash, signRequest } from "./payu.ts";

// A vector published with PayU's documentation.
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
  it.each([
    ["a separator in a hashed field", { ...fields, firstname: "A|B" }],
    ["an e-mail that is too long", { ...fields, email: `${"a".repeat(45)}@b.example` }],
    ["a reference that is too long", { ...fields, txnid: "1".repeat(26) }],
    ["a description that is too long", { ...fields, productinfo: "x".repeat(101) }],
  ])("is refused for %s", (_case, wrong) => {
    expect(() => signRequest(keys, wrong)).toThrow(/PayU.s field/);
  });
  it("carries the amount in rupees with two decimals, as it is hashed", () => {
    const { fields: sent } = gateway.initiate({
      reference: "A1",
      amountPaise: 1000,
      description: "d",
      firstName: "f",
      email: "e@e.in",
      phone: "+911",
      returnUrl: "https://a.in/r",
    });
    expect(sent["amount"]).toBe("10.00");
    expect(sent["hash"]).toBe(
      signRequest(keys, Object.fromEntries(Object.entries(sent).filter(([name]) => name !== "hash" && name !== "key")))[
        "hash"
      ],
    );
  });
});

describe("an answer from PayU", () => {
  it("is authentic with the published hash", () => {
    expect(gateway.parseReturn(answer)).toMatchObject({
      authentic: true,
      state: "success",
      reference: "12345",
      amountPaise: 1000,
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
  it("is forged when it is empty", () => {
    expect(gateway.parseReturn({}).authentic).toBe(false);
  });
  it("is read from a form and from JSON alike", () => {
    const form = gateway.parseWebhook(
      new URLSearchParams(answer).toString(),
      new Headers({ "content-type": "application/x-www-form-urlencoded" }),
    );
    const json = gateway.parseWebhook(JSON.stringify(answer), new Headers({ "content-type": "application/json" }));
    expect(json).toEqual(form);
    expect(form.authentic).toBe(true);
  });
  it.each([
    ["success", "captured", "success"],
    ["success", "auth", "pending"],
    ["failure", "userCancelled", "failure"],
    ["failed", "failed", "failure"],
    ["pending", "pending", "pending"],
    ["pending", "initiated", "initiated"],
    ["odd", "", "unknown"],
  ])("with status %s and %s means %s", (status, unmappedstatus, state) => {
    expect(gateway.parseReturn({ ...answer, status, unmappedstatus }).state).toBe(state);
  });
  it.each([
    ["10", 1000],
    ["10.5", 1050],
    ["10.50", 1050],
    ["-1", null],
    ["1e3", null],
    ["10.505", null],
    ["", null],
  ])("reads the amount %j as %j paise", (amount, paise) => {
    expect(gateway.parseReturn({ ...answer, amount }).amountPaise).toBe(paise);
  });
});
