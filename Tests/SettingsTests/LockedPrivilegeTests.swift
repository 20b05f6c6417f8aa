import Multitasking
import Seat
import Settings
import Testing

@Suite struct LockedPrivilegeTests {
    @Test("for each privilege the table of the lock has a line")
    func everyPrivilegeIsInTheTable() {
        for privilege in Privilege.allCases {
            #expect(WhileLocked.Door(rawValue: privilege.rawValue) != nil, "\(privilege.rawValue) is missing in WhileLocked.Door")
        }
    }
}
