"use client";

import Link from "next/link";
import type { ComponentProps } from "react";
import { withLatenciesOf } from "@/lib/compare-path";
import { useAddressQuery } from "@/lib/use-address-query";

/** To the same page with another choice. What scripts put into the address since it was drawn stays. */
export function CompareLink({ href, ...rest }: ComponentProps<typeof Link> & { href: string }) {
  return <Link {...rest} href={withLatenciesOf(href, useAddressQuery())} />;
}
