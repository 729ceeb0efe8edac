"use client";

import { createAuthClient } from "better-auth/react";

/** Sign-up, sign-in and reset are better-auth's own routes under /api/auth. */
export const auth = createAuthClient();
