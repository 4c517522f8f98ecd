import type { NumberPlan } from "../../contract/phone-numbers.ts";

// The number of digits of fixed and mobile numbers, and the trunk prefix for dialling within the country, with the
// calling codes that share them; as libphonenumber lists them.
const codesByPlan = {
  "4-5": "290",
  "4-7": "683 690",
  "4-11": "352",
  "4-13 after 0": "43",
  "5-5": "247 500 682",
  "5-7": "676 677 678 688",
  "5-8 after 0": "686",
  "5-9 after 0": "27",
  "5-10": "685",
  "5-10 after 0": "82 358",
  "5-13 after 0": "49",
  "6-6": "298 299 672 681 687",
  "6-7": "597",
  "6-9": "376",
  "6-9 after 0": "40 252 359 421 508",
  "6-10 after 0": "53 63 95 98 880",
  "6-12": "39",
  "7-7": "238 239 246 248 269 297 501 592 673 674 679 680 691 960",
  "7-7 after 0": "291",
  "7-7 after 1": "692",
  "7-8": "230 241 267 372 507 599 670 675 975",
  "7-8 after 0": "961",
  "7-9": "48 220 354",
  "7-9 after 0": "46 231 254 265 423 595 967",
  "7-10 after 0": "243 353",
  "7-11 after 0": "86",
  "7-12 after 0": "62 381",
  "8-8":
    "45 47 65 216 222 223 226 227 228 235 236 253 257 266 268 350 356 357 371 502 503 504 505 506 509 689 852 853 965 968 973 974",
  "8-8 after 0": "232 370 373 374 382 386 389 591 598",
  "8-8 after 8": "993",
  "8-9": "224 258",
  "8-9 after 0": "32 51 66 213 250 264 355 377 385 387 593 855 886 962 963 970 971",
  "8-9 after 06": "36",
  "8-10": "378",
  "8-10 after 0": "20 57 60 64 850 856 964 976 977",
  "8-12 after 0": "383 972",
  "9-9": "34 56 221 237 240 242 244 245 351 420 992 998",
  "9-9 after 0": "33 41 61 93 94 211 212 218 233 249 251 255 256 260 261 262 263 380 590 594 596 966 994 995 996",
  "9-9 after 8": "375",
  "9-10 after 0": "44 81 84 92",
  "9-11 after 0": "31",
  "10-10": "30 52 225 229",
  "10-10 after 0": "58 90 234",
  "10-10 after 8": "7",
  "10-11 after 0": "54 55",
};

/** The number plan; undefined for an unknown calling code. */
export function findNumberPlan(callingCode: string): NumberPlan | undefined {
  const found = Object.entries(codesByPlan).find(([, codes]) => codes.split(" ").includes(callingCode));
  const [, least, most, trunkPrefix = ""] = /^(\d+)-(\d+)(?: after (\d+))?$/.exec(found?.[0] ?? "") ?? [];
  return least && most ? { callingCode, digitsMin: Number(least), digitsMax: Number(most), trunkPrefix } : undefined;
}
