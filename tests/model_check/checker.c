/*
 * checker.c - where the checker's state is: mapped by search.c, apart from what is checked.
 */
#include "checker.h"

struct checker *checker;
