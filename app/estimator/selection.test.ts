import { describe, expect, it } from "vitest";
import { customService } from "../../contract/devices.ts";
import { clampNumber, countDevices, numberOf, partSelection, setDevice } from "./selection.ts";

const server = { service: "Server", deviceType: "Prod Server", number: 3 };
const custom = { service: customService, deviceType: "SCADA gateway", number: 2 };

describe("a selection", () => {
  it("replaces the earlier entry of the same service and device type", () => {
    const selection = setDevice(setDevice([server], custom), { ...server, number: 9 });
    expect(selection).toEqual([{ ...server, number: 9 }, custom]);
  });
  it("loses a device whose number becomes 0", () => {
    expect(setDevice([server, custom], { ...server, number: 0 })).toEqual([custom]);
  });
  it("stays the same object when an absent device is set to 0", () => {
    const selection = [server];
    expect(setDevice(selection, { ...custom, number: 0 })).toBe(selection);
  });
  it("holds the same device type of two services side by side", () => {
    expect(setDevice([server], { ...server, service: "Other" })).toHaveLength(2);
  });
  it("takes a custom device typed in other case as the same", () => {
    expect(setDevice([custom], { ...custom, deviceType: "scada GATEWAY", number: 7 })).toEqual([
      { ...custom, deviceType: "scada GATEWAY", number: 7 },
    ]);
  });
  it("knows its numbers", () => {
    expect(numberOf([server, custom], "Server", "Prod Server")).toBe(3);
    expect(numberOf([server], "Server", "Hypervisor")).toBe(0);
    expect(countDevices([server, custom])).toBe(5);
  });
});

describe("a kept selection", () => {
  const catalogue = {
    groups: [{ name: "Machines", types: [{ service: "Server", deviceType: "Prod Server", name: "Production" }] }],
  };
  it("shows a renamed and moved type by its new name, and asks for it by its key", () => {
    const { offered, gone } = partSelection(catalogue, [server, custom]);
    expect(offered).toEqual([
      { ...server, group: "Machines", name: "Production" },
      { ...custom, group: customService, name: "SCADA gateway" },
    ]);
    expect(gone).toEqual([]);
  });
  it("keeps apart what is not offered any more", () => {
    const retired = { service: "Server", deviceType: "Hypervisor", number: 2 };
    expect(partSelection(catalogue, [retired, server]).gone).toEqual([retired]);
  });
});

describe("a typed number", () => {
  it.each([
    ["0", 0],
    ["500", 500],
    ["501", 500],
    ["-1", 0],
    ["", 0],
    ["abc", 0],
    ["12.6", 13],
    [1e9, 500],
    [Number.NaN, 0],
  ])("%s counts as %s", (typed, number) => {
    expect(clampNumber(typed)).toBe(number);
  });
});
