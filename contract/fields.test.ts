import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it, test } from "vitest";
import { FirstName, FreeText, FullName, line, OrganizationName, phone, SearchText } from "./fields.ts";
import { LadderContact } from "./ladders.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";

const device = line(limits.deviceTypeLengthMax);
const schemas = { FirstName, FullName, OrganizationName, device, FreeText };
const faultIn = (schema: typeof device, text: string) => schema.safeParse(text).error?.issues[0]?.message ?? null;

describe("A name as people have them is taken as it is", () => {
  test.each([
    "A. B. Rao",
    "K.Ramesh",
    "A.P.J.Abdul Kalam",
    "Dr.Rao",
    "Smt. Lakshmi",
    "Martin Luther King Jr.",
    "Ramesh S/o Suresh",
    "O’Brien",
    "D'Souza",
    "Anne-Marie",
    "Nguyễn Thị Ánh",
    "Þórdís",
    "Çelik",
    "Иванова",
    "आशा राव",
    "क्‍ष",
    "শ্রী র‍্যাব",
    "അവന്‍",
    "ශ්‍රී ලංකා",
    "می‌خواهم",
    "شركة الحراسة",
    "עברית שָׁלוֹם",
    "བོད་སྐད་རྐྱེན",
    "ကျွန်ုပ်တို့ မြို့",
    "ក្រុមហ៊ុន",
    "김민수",
    "葛󠄀城",
    "プラハリ",
    "ፕራሃሪ",
    "Asha 🙂",
    "Team 👩🏽‍💻 ❤️ 1️⃣ 🏳️‍🌈 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  ])("%s", (name) => {
    expect(FullName.parse(name)).toBe(name);
    expect(OrganizationName.parse(name)).toBe(name);
  });

  test.each(["Booking.com B.V.", "Amazon.in", "24/7 Customer", "No.12/3 Enterprises", "AT&T", "株式会社プラハリ"])(
    "of an organisation: %s",
    (name) => expect(OrganizationName.parse(name)).toBe(name),
  );
});

describe("What hides, reorders or swamps is refused in every field, with its kind and its place", () => {
  test.each<[string, string, string]>([
    ["a right-to-left override", "A\u202Eevil", "invisible character after “A”: it changes the direction"],
    ["an embedding", "Asha \u202BRao", "invisible character after “Asha”: it changes the direction"],
    ["an isolate", "Asha \u2067Rao\u2069", "it changes the direction of writing"],
    ["a mark of direction", "\u200FAsha", "invisible character at the start: it changes the direction"],
    ["an Arabic letter mark", "Asha\u061C", "it changes the direction"],
    ["a zero-width space", "Asha\u200BRao", "Please delete the invisible character after “Asha”"],
    ["a word joiner", "As\u2060ha", "Please delete the invisible character after “As”"],
    ["a byte order mark inside", "As\uFEFFha", "Please delete the invisible character after “As”"],
    ["a soft hyphen", "As\u00ADha", "Please delete the invisible character after “As”"],
    ["a Hangul filler", "Asha \u3164", "Please delete the invisible character after “Asha”"],
    ["an empty Braille pattern", "Asha \u2800", "Please delete the invisible character after “Asha”"],
    ["a joiner between Latin letters", "As\u200Dha", "Please delete the invisible character after “As”"],
    ["two joiners", "क\u200D\u200Dष", "Please delete the invisible character after “क”"],
    ["a joiner after an emoji's end", "👍\u200D Asha", "Please delete the invisible character after “👍”"],
    ["a variation selector on a letter", "A\uFE0Fsha", "Please delete the invisible character after “A”"],
    ["a tag that spells a hidden word", "Asha\u{E0061}\u{E0062}", "Please delete the invisible character after “Asha”"],
    ["a tag in a flag that is none", "\u{1F3F4}\u{E0061}\u{E007F}", "Please delete the invisible character after “🏴”"],
    ["a private character", "Asha\uE000", "Please delete the character after “Asha”: it has no shape"],
    ["half a pair", "Asha\uD800", "Please delete the character after “Asha”: it has no shape"],
    ["a place kept for a pictograph", "Asha\u{1FFFD}", "Please delete the character after “Asha”: it has no shape"],
    ["an unassigned character", "Asha\u0378", "Please delete the character after “Asha”: it has no shape"],
    ["a tower of marks", `Z${"\u0335".repeat(5)}`, "Please use fewer marks after “Z”: at most 4 on one letter"],
  ])("%s", (_what, text, sentence) => {
    for (const schema of Object.values(schemas)) expect(faultIn(schema, text)).toContain(sentence);
  });

  test.each(["\u2028", "\u2029", "\n", "\t", "\u0000", "|"])(
    "a line break or control character in one line: %j",
    (character) => {
      expect(faultIn(device, `Asha${character}Rao`)).toBe("Please remove line breaks and the character |");
    },
  );
});

describe("Whatever is typed", () => {
  const awkward = Array.from(
    "aé e\u0301\u0335\u200B\u200C\u200D\u202E\u2066\u2028\n\r\t.कष्👩🏽💻\uFE0F\u{E0061}\u3000\u00A0|",
  );
  const anyText = oneof(
    string({ unit: "binary", maxLength: 200 }),
    string({ unit: "grapheme", maxLength: 60 }),
    array(constantFrom(...awkward), { maxLength: 40 }).map((characters) => characters.join("")),
  );

  test.each(Object.entries(schemas))(
    "%s takes it in one spelling, once and for all, or says what is wrong",
    (_name, schema) => {
      assert(
        property(anyText, (typed) => {
          const { data, error } = schema.safeParse(typed);
          expect(error === undefined ? "fits" : error.issues[0]?.message).toMatch(/^\S.*\S$/);
          if (data === undefined) return;
          expect(data).toBe(data.normalize("NFC"));
          expect(data).toBe(data.trim());
          expect(data).not.toMatch(/[\u061C\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\p{Cs}\p{Co}\p{Cn}]/u);
          expect(data).not.toMatch(schema === FreeText ? /\n{3}|[^\P{Cc}\t\n]/u : /[\p{Cc}|]|\p{Zs}\p{Zs}/u);
          expect(schema.parse(data)).toBe(data);
        }),
      );
    },
  );

  it("a search never fails for it, but for a zero character or its length", () => {
    assert(
      property(anyText, (typed) => {
        const { success } = SearchText.safeParse(typed);
        expect(success || typed.includes("\0") || typed.length > limits.searchLengthMax).toBe(true);
      }),
    );
  });
});

describe("Sixty thousand characters are refused for their length, before anything is looked for in them", () => {
  test.each([" x", "a@", "1", "\u0301\u0327", "👩\u200D", "क\u200D", "a.bc", "\n "])("%j and again", (unit) => {
    const text = `x${unit.repeat(60_000 / unit.length)}x`;
    for (const [name, schema] of Object.entries({ ...schemas, SearchText })) {
      const issues = schema.safeParse(text).error?.issues ?? [];
      expect(
        issues.map(({ message }) => message),
        name,
      ).toEqual([expect.stringMatching(/^Please use at most \d+ characters$/)]);
    }
  });
});

test("What looks alike is kept alike: spelling, spaces and what stands around", () => {
  expect(FullName.parse("  Rene\u0301e \u00A0\u3000 Rao\uFEFF ")).toBe("Renée Rao");
  expect(SearchText.parse("Rene\u0301e\u200B")).toBe("Renée");
  expect(
    ["+91 98765 43210", "98765 43210", "1 09 790", "O-000012 98765 43210"].map((text) => SearchText.parse(text)),
  ).toEqual(["+919876543210", "9876543210", "1 09 790", "O-000012 98765 43210"]);
});

describe("A name of a person", () => {
  test.each([
    ["evil.example", "evil.example"],
    ["URGENT pay at evil.example now", "evil.example"],
    ["Asha (evil.example)", "evil.example"],
    ["EVIL.COM", "EVIL.COM"],
    ["t.co", "t.co"],
    ["A.Tech", "A.Tech"],
    ["Ramesh.Kumar", "Ramesh.Kumar"],
    ["evil。example", "evil。example"],
  ])("that reads as a domain is refused with a way out: %s", (name, domain) => {
    expect(faultIn(FullName, name)).toBe(`Please put a space after the dot in “${domain}”: it reads as a web address`);
    expect(OrganizationName.parse(name)).toBe(name);
  });

  test.each(["", " ", "…", "🙂", "\u0301"])("has a letter or a digit: %j", (name) => {
    expect(faultIn(FirstName, name)).toBe("First name is required");
  });
});

test.each([
  "http://evil.example",
  "Go to HTTPS://evil.example",
  "www.evil.example now",
  "Kaveri (www.evil.example)",
  "URGENT pay at evil.example/pay",
  "evil.example:8080",
  "evil.example?pay",
  "pay@evil.example",
  "10.0.0.1",
  "ftp://x",
])("No name holds an address that leads somewhere: %s", (name) => {
  for (const schema of [FirstName, FullName, OrganizationName])
    expect(faultIn(schema, name)).toBe("Please leave web addresses out of this field");
});

describe("A message", () => {
  it("keeps its lines, with one kind of break and one empty line at the most between two", () => {
    expect(FreeText.parse("\r\n a  b \t\r\n\u2028\n \n\r\nc\u2029d\r\n")).toBe("a  b\n\nc\nd");
  });

  it(`has ${limits.messageLinesMax} lines at the most`, () => {
    const lines = Array.from({ length: limits.messageLinesMax }, (_, index) => `${index}`);
    expect(FreeText.parse(lines.join("\r\n"))).toBe(lines.join("\n"));
    expect(faultIn(FreeText, [...lines, "more"].join("\n"))).toBe("Please use at most 60 lines");
    expect(FreeText.parse(`a${"\n".repeat(1000)}b`)).toBe("a\n\nb");
  });
});

describe("A phone number", () => {
  const ten = phone(10, "too short");
  const eight = phone(8, "too short");

  test.each([
    [ten, "98765 43210", "+919876543210"],
    [ten, "91 00000-00000", "+910000000000"],
    [ten, "+1 (212) 555-0100", "+12125550100"],
    [ten, "+971 50 123 4567", "+971501234567"],
    [ten, "+65 9123 4567", "+6591234567"],
    [eight, "+91 80 4555 12", "+9180455512"],
    [ten, "91 98765 43210", "+919876543210"],
    [ten, "098765 43210", "+919876543210"],
    [ten, "080 4555 1234", "+918045551234"],
    [ten, "0091 98765 43210", "+919876543210"],
    [ten, "+91 (0)98765 43210", "+919876543210"],
    [ten, "+91 91 98765 43210", "+919876543210"],
    [ten, "+91 91234 56789", "+919123456789"],
    [ten, "+44 (0)20 7946 0958", "+442079460958"],
    [ten, "+971 (0)50 123 4567", "+971501234567"],
    [ten, "+971 800 12345678", "+97180012345678"],
    [ten, "+39 06 1234 5678", "+390612345678"],
    [ten, "+49 171 1234567", "+491711234567"],
    [ten, "+1 1 (212) 555-0100", "+12125550100"],
    [ten, "+7 800 555 35 35", "+78005553535"],
    [ten, "+886 2 2345 6789", "+886223456789"],
    [ten, "+999 1234 567 890", "+9991234567890"],
  ])("is taken with all its digits (%#)", (schema, typed, kept) => {
    expect(schema.parse(typed)).toBe(kept);
  });

  test.each([
    [ten, "+91 98765 4321"],
    [ten, "+1 212 555 010"],
    [ten, "+44 1234 567"],
    [ten, "+123456789"],
    [eight, "+91 98765 43"],
    [eight, "+91 9876543"],
  ])("is too short when its national digits are (%#)", (schema, typed) => {
    expect(schema.safeParse(typed).error?.issues[0]?.message).toBe("too short");
  });

  test.each(["+91 98765 43210 1", "+91 98765 43210 12", "+1 212 555 01001", "+65 9123 4567 891011", "+0 98765 43210"])(
    "with more digits than its country's have is refused: %s",
    (typed) => {
      expect(ten.safeParse(typed).error?.issues[0]?.message).toBe(messages.phoneExample);
    },
  );
});

test("What somebody of a ladder is may be left out, and holds nothing that could not be kept", () => {
  const contact = { name: "Asha Rao", phone: "+919876543210", email: "asha@example.in" };
  const says = ["", "Head of IT", "Head\0", "Head\uD800"];
  expect(says.map((each) => LadderContact.safeParse({ ...contact, says: each }).success)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
