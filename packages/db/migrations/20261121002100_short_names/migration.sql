-- Names from before they were cut. One of more than 200 characters fits no page.
UPDATE "user" SET "name" = left("name", 80) WHERE length("name") > 80;
UPDATE "workspace" SET "name" = left("name", 80) WHERE length("name") > 80;
